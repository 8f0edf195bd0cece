import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../schemas/base/time.ts';
import { ManualClock } from '../../testing/contracts/engine.fixture.ts';
import { CLOCK_APART_MS_MAX, ClockWatch } from './clock-watch.ts';

function watched() {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  const say = (fields: object, message: string) => void lines.push([message, fields]);
  const world = { aheadMs: 0, elapsed: 0 };
  const logClock = { now: () => clock.now() - world.aheadMs, aheadMs: () => world.aheadMs };
  const watch = new ClockWatch(clock, logClock, { info: say, warn: say, error: say }, () => world.elapsed);
  return { clock, lines, watch, world };
}

it('ClockWatch says once that the clocks are apart, and once that they agree again', () => {
  const { lines, watch, world } = watched();
  watch.compare();
  for (const aheadMs of [CLOCK_APART_MS_MAX, -30_000, -30_000, 12_000, 0, 0]) {
    world.aheadMs = aheadMs;
    watch.compare();
  }
  expect(lines).toEqual([
    ['ClockApart', { aheadMs: -30_000, mostMs: CLOCK_APART_MS_MAX }],
    ['ClockAgreesAgain', { aheadMs: 0 }],
  ]);
});

it('ClockWatch says that the own clock was set, and not that time has passed', () => {
  const { clock, lines, watch, world } = watched();
  clock.advance(HOUR_MS);
  world.elapsed = HOUR_MS;
  watch.compare();
  clock.advance(-HOUR_MS);
  watch.compare();
  watch.compare();
  expect(lines).toEqual([['ClockStepped', { steppedMs: -HOUR_MS }]]);
});
