import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { LogClock } from './log-clock.ts';

const SENT_AT = 1_000_000;
const ANSWERED_AT = SENT_AT + 200;

describe('LogClock', () => {
  it.each([
    ['0 for a timestamp between request and answer', SENT_AT + 150, 0],
    ['the least lead over a broker', SENT_AT - 30_000, 30_000],
    ['the least lag behind a broker', ANSWERED_AT + 30_000, -30_000],
  ])('returns %s', (_, stampedAt, aheadMs) => {
    const clock = new ManualClock();
    const logClock = new LogClock(clock);
    logClock.note(0, stampedAt, SENT_AT, ANSWERED_AT);
    expect(logClock.aheadMs()).toBe(aheadMs);
    expect(logClock.now()).toBe(clock.now() - aheadMs);
  });

  it('uses the latest timestamp of the most different broker', () => {
    const logClock = new LogClock(new ManualClock());
    logClock.note(0, SENT_AT - 9_000, SENT_AT, ANSWERED_AT);
    logClock.note(1, ANSWERED_AT + 12_000, SENT_AT, ANSWERED_AT);
    expect(logClock.aheadMs()).toBe(-12_000);
    logClock.note(1, SENT_AT + 100, SENT_AT, ANSWERED_AT);
    expect(logClock.aheadMs()).toBe(9_000);
  });
});
