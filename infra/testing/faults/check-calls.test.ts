import { describe, expect, it } from 'vitest';
import { allowed, call, decided, entry, FIRST_END, type Flaw, playedHistory } from './calls.fixture.ts';
import type { CallTold, LimiterCall } from './calls.ts';
import { checkCalls } from './check-calls.ts';

const BOTH = [entry('user'), entry('address')];
const UNKNOWN: CallTold = { kind: 'unknown' };

const kinds = (...calls: readonly LimiterCall[]) => checkCalls(calls, []).map(({ kind }) => kind);

/** A denial by the user's window: what stands in both. */
const denied = (user: number, address: number) =>
  decided([
    { allowed: user > 0, remaining: user, resetAt: FIRST_END },
    { allowed: address > 0, remaining: address, resetAt: FIRST_END },
  ]);

/** The user's window used up by five calls, one after the other. */
const usedUp = [0, 1, 2, 3, 4].map((index) => call(index, index + 0.5, BOTH, allowed(4 - index, 7 - index)));

describe('a history that is in order', () => {
  it('has calls one after the other, and a denial that changes nothing', () => {
    expect(kinds(...usedUp, call(10, 11, BOTH, denied(0, 3)), call(12, 13, BOTH, denied(0, 3)))).toEqual([]);
  });

  it('has calls at the same time, in the order that their answers show', () => {
    expect(kinds(call(0, 9, BOTH, allowed(3, 6)), call(1, 8, BOTH, allowed(4, 7)))).toEqual([]);
  });

  it('has a call without an answer that was counted, or was not', () => {
    const lost = call(1, 2, BOTH, UNKNOWN);
    const first = call(0, 0.5, BOTH, allowed(4, 7));
    expect(kinds(first, lost, call(3, 4, BOTH, allowed(2, 5)))).toEqual([]);
    expect(kinds(first, lost, call(3, 4, BOTH, allowed(3, 6)))).toEqual([]);
  });

  it('has a reset after which a window starts again', () => {
    const reset = call(10, 11, [entry('user')], { kind: 'reset', ended: true });
    const again = decided([
      { allowed: true, remaining: 4, resetAt: FIRST_END + 11 },
      { allowed: true, remaining: 2, resetAt: FIRST_END },
    ]);
    expect(kinds(...usedUp, reset, call(12, 13, BOTH, again))).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))('is that of a sound limiter (seed %i)', (seed) => {
    expect(checkCalls(...playedHistory(seed, 'none'))).toEqual([]);
  });
});

describe('a history that no order explains', () => {
  it('lets more through than the limit', () => {
    const more = call(10, 11, [entry('address')], allowed(2));
    const overshoot = decided([{ allowed: true, remaining: 0, resetAt: FIRST_END }]);
    const tooMany = call(12, 13, [entry('user')], overshoot);
    expect(kinds(...usedUp, more)).toEqual([]);
    expect(kinds(...usedUp, tooMany)).toEqual(['quota']);
  });

  it('counts a denied call in one of its windows', () => {
    const refused = call(10, 11, BOTH, denied(0, 3));
    expect(kinds(...usedUp, refused, call(12, 13, [entry('address')], allowed(2)))).toEqual([]);
    expect(kinds(...usedUp, refused, call(12, 13, [entry('address')], allowed(1)))).toEqual(['unordered']);
  });

  it('counts a call without an answer in one of its windows', () => {
    const lost = call(1, 2, BOTH, UNKNOWN);
    const first = call(0, 0.5, BOTH, allowed(4, 7));
    expect(kinds(first, lost, call(3, 4, BOTH, allowed(2, 6)))).toEqual(['unordered']);
  });

  it('counts a call without an answer twice', () => {
    const lost = call(1, 2, BOTH, UNKNOWN);
    expect(kinds(lost, call(3, 4, BOTH, allowed(2, 5)))).toEqual(['unordered']);
  });

  it('has more left than an earlier answer said', () => {
    expect(kinds(...usedUp.slice(0, 2), call(3, 4, [entry('user', 0)], allowed(4)))).toEqual(['unordered']);
  });

  it('starts a window again without a reset', () => {
    const again = decided([{ allowed: true, remaining: 4, resetAt: FIRST_END + 11 }]);
    const calls = [...usedUp, call(10, 11, [entry('user')], again)];
    expect(kinds(...calls)).toEqual(['unordered']);
    expect(checkCalls(calls, [{ from: 5, to: 9, what: 'all' }])).toEqual([]);
    expect(checkCalls(calls, [{ from: 5, to: 9, what: 'keys' }])).toHaveLength(1);
    expect(checkCalls(calls, [{ from: 12, to: 14, what: 'all' }])).toHaveLength(1);
  });

  it('says of a window that it is used up while it is not', () => {
    const wrong = decided([{ allowed: false, remaining: 2, resetAt: FIRST_END }]);
    expect(kinds(...usedUp.slice(0, 3), call(9, 10, [entry('user')], wrong))).toEqual(['contradiction']);
  });

  it('refuses a call', () => {
    expect(kinds(call(0, 1, BOTH, { kind: 'refused', said: '401 unauthorized' }))).toEqual(['unexpected']);
  });

  it('has no verdict where the search ends before it finds an order', () => {
    const found = checkCalls(...playedHistory(1, 'none'), 1);
    expect(found.map(({ kind }) => kind)).toEqual(['undecided']);
  });

  const FLAWS: readonly Flaw[] = [
    'admits one more',
    'counts half of a denial',
    'answers from before',
    'counts lost',
  ];
  it.each(FLAWS.flatMap((flaw) => [1, 2, 3, 4, 5].map((seed) => [flaw, seed] as const)))(
    'is that of a limiter that %s (seed %i)',
    (flaw, seed) => {
      expect(checkCalls(...playedHistory(seed, flaw))).not.toEqual([]);
    },
  );
});

describe('a call with an Idempotency-Key', () => {
  /** Sent again until it was answered, and once more. */
  const keyed = (...told: readonly CallTold[]): LimiterCall => ({
    ...call(0, 1, BOTH, UNKNOWN),
    isKeyed: true,
    sendings: told.map((each, index) => ({ sentAt: 2 * index, endedAt: 2 * index + 1, told: each })),
  });
  const later = call(20, 21, BOTH, allowed(3, 6));
  const forgotten = [{ from: 1, to: 2, what: 'keys' }] as const;

  it('counts once, however often it is sent', () => {
    const call = keyed(UNKNOWN, UNKNOWN, allowed(4, 7), allowed(4, 7));
    expect(kinds(call, later)).toEqual([]);
  });

  it('counts no second time', () => {
    const twice = [keyed(UNKNOWN, allowed(3, 6)), call(20, 21, BOTH, allowed(2, 5))];
    expect(kinds(...twice)).toEqual(['unordered']);
    expect(checkCalls(twice, forgotten)).toEqual([]);
  });

  it('gets its first answer again', () => {
    const other = keyed(allowed(4, 7), allowed(3, 6));
    expect(kinds(other)).toEqual(['contradiction']);
    expect(checkCalls([other], forgotten)).toEqual([]);
  });
});
