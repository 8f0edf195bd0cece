import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { DAY_MS, MINUTE_MS, utcMonth } from '../../schemas/base/time.ts';
import type { KeyMode } from '../../schemas/limiter/keys.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { PublishedCount } from '../../schemas/usage/commands.ts';
import {
  addCalls,
  type CallCounts,
  largerCalls,
  meteredCalls,
  NO_CALLS,
} from '../../schemas/usage/counts.ts';
import {
  type DayDocument,
  HOURS_KEPT_MONTHS,
  type HourDocument,
  type KeyUsageRoot,
  MINUTES_KEPT_DAYS,
  type MonthDocument,
  usedOf,
} from '../../schemas/usage/documents.ts';
import { startOfMonth, utcDay, utcHour } from '../../schemas/usage/periods.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createUsageFold } from './fold.ts';

/** A time in the last hours of a month, so that minutes lie in two months, days and hours. */
const START = Date.UTC(2026, 10, 30, 22);
const keyId = idFrom('key', keyedDigest('test', 'one'));
const organizationId = idFrom('organization', keyedDigest('test', 'one'));

class UsageHarness extends FoldWorld {
  constructor(deliveries = 1) {
    super([createUsageFold(DEFAULT_LIMITS)], START, deliveries);
  }

  publish(counts: readonly PublishedCount[], { mode = 'live', key = keyId }: Publication = {}): void {
    const input = { organizationId, mode, counts: [...counts] };
    this.send({ topic: 'usage', aggregate: key, type: 'publish', input });
  }

  get keyRoot(): KeyUsageRoot | null {
    return this.root('usage', keyId) as KeyUsageRoot | null;
  }

  hour(at: number, key = keyId): HourDocument | null {
    return this.row('usage', key, 'hour', utcHour(at)) as HourDocument | null;
  }

  day(at: number): DayDocument | null {
    return this.row('usage', keyId, 'day', utcDay(at)) as DayDocument | null;
  }

  month(at: number, key = keyId): MonthDocument | null {
    return this.row('usage', key, 'month', utcMonth(at)) as MonthDocument | null;
  }

  /** The metered calls of the organization in a month. */
  metered(at: number): number {
    return Number(this.row('usage', organizationId, 'metered', utcMonth(at))?.['used'] ?? 0);
  }
}

interface Publication {
  readonly mode?: KeyMode;
  readonly key?: string;
}

function count(minute: number, allowed: number, differing: Partial<PublishedCount> = {}): PublishedCount {
  return { ...NO_CALLS, allowed, minute, incarnation: 'one', ...differing };
}

const calls = fc.nat({ max: 1_000 });
const minutes = fc.nat({ max: 240 }).map((minute) => START + minute * MINUTE_MS);
const published: fc.Arbitrary<PublishedCount> = fc.record({
  minute: minutes,
  incarnation: fc.constantFrom('one', 'two', 'three'),
  allowed: calls,
  denied: calls,
  refused: calls,
});
const publications = fc.array(fc.array(published, { minLength: 1, maxLength: 5 }), { maxLength: 20 });

/** The largest counts of each minute and incarnation. */
function expectedCounts(all: readonly PublishedCount[]): Map<string, PublishedCount> {
  const largest = new Map<string, PublishedCount>();
  for (const one of all) {
    const id = `${one.minute} ${one.incarnation}`;
    largest.set(id, { ...one, ...largerCalls(largest.get(id) ?? NO_CALLS, one) });
  }
  return largest;
}

function sumOf(counts: Iterable<CallCounts>): CallCounts {
  let sum = NO_CALLS;
  for (const one of counts) sum = addCalls(sum, one);
  return sum;
}

describe('publishing counts', () => {
  it('keeps the largest of each minute and incarnation, and sums exactly, in any order and with repeats', () => {
    fc.assert(
      fc.property(publications, fc.constantFrom(1, 2), (batches, deliveries) => {
        const harness = new UsageHarness(deliveries);
        for (const batch of batches) harness.publish(batch);
        const expected = [...expectedCounts(batches.flat()).values()];
        for (const month of [START, START + DAY_MS]) {
          const ofMonth = expected.filter(({ minute }) => utcMonth(minute) === utcMonth(month));
          const { days } = harness.month(month) ?? { days: [] };
          expect(sumOf(days)).toEqual(sumOf(ofMonth));
          expect(harness.metered(month)).toBe(meteredCalls(sumOf(ofMonth)));
        }
        for (const { minute } of expected) {
          const inHour = expected.filter((one) => utcHour(one.minute) === utcHour(minute));
          const hourOfDay = harness
            .day(minute)
            ?.hours.find(({ hour }) => hour === new Date(minute).getUTCHours());
          expect(sumOf([hourOfDay ?? NO_CALLS])).toEqual(sumOf(inHour));
          expect(sumOf(harness.hour(minute)?.minutes ?? [])).toEqual(sumOf(inHour));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('changes nothing when all counts are published again', () => {
    fc.assert(
      fc.property(publications, (batches) => {
        const [one, two] = [new UsageHarness(), new UsageHarness()];
        for (const batch of batches) {
          one.publish(batch);
          two.publish(batch);
        }
        expect(one.documents()).toBe(two.documents());
        const before = one.month(START);
        for (const batch of batches) one.publish(batch);
        expect(one.month(START)).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });

  it('ignores an older count that arrives late', () => {
    const harness = new UsageHarness();
    harness.publish([count(START, 7)]);
    harness.publish([count(START, 5)]);
    expect(harness.hour(START)?.minutes).toEqual([
      { minute: 0, incarnation: 'one', allowed: 7, denied: 0, refused: 0 },
    ]);
  });

  it('adds the counts of another incarnation in the same minute', () => {
    const harness = new UsageHarness();
    harness.publish([count(START, 7), count(START, 3, { incarnation: 'two' })]);
    expect(usedOf(harness.month(START) ?? { days: [] })).toBe(10);
  });

  it('stores the latest use of the key, and never an earlier one', () => {
    const harness = new UsageHarness();
    harness.publish([count(START + MINUTE_MS, 1)]);
    harness.publish([count(START, 1)]);
    expect(harness.keyRoot?.lastUsedAt).toBe(START + MINUTE_MS);
  });
});

describe('the month of an organization', () => {
  it('adds up its live keys, revoked or not, and leaves test keys out', () => {
    const harness = new UsageHarness();
    const other = idFrom('key', keyedDigest('test', 'other'));
    const test = idFrom('key', keyedDigest('test', 'test'));
    harness.publish([count(START, 2, { denied: 3, refused: 100 })]);
    harness.publish([count(START, 10)], { key: other });
    harness.publish([count(START, 1_000)], { key: test, mode: 'test' });
    expect(harness.metered(START)).toBe(15);
    expect(usedOf(harness.month(START, test) ?? { days: [] })).toBe(1_000);
  });

  it('divides the calls around midnight of the first', () => {
    const harness = new UsageHarness();
    const turn = startOfMonth('2026-12');
    harness.publish([count(turn - MINUTE_MS, 1), count(turn, 2)]);
    expect([harness.metered(turn - 1), harness.metered(turn)]).toEqual([1, 2]);
  });
});

describe('retention of counts', () => {
  const first = Date.UTC(2026, 0, 5, 10, 30);

  it('removes the minutes of a settled day with the next count, and keeps the sums', () => {
    const harness = new UsageHarness();
    harness.now = first;
    harness.publish([count(first, 4)]);
    harness.now = first + (1 + MINUTES_KEPT_DAYS) * DAY_MS;
    harness.publish([count(harness.now - (harness.now % MINUTE_MS), 1)]);
    expect(harness.hour(first)).toBe(null);
    expect(harness.day(first)?.hours).toEqual([{ hour: 10, allowed: 4, denied: 0, refused: 0 }]);
    expect(harness.keyRoot?.daysWithMinutes).toEqual([utcDay(harness.now)]);
  });

  it('ignores counts of a settled day before and after the removal of its minutes', () => {
    const harness = new UsageHarness();
    harness.now = first;
    harness.publish([count(first, 4)]);
    harness.now = first + (1 + MINUTES_KEPT_DAYS) * DAY_MS;
    for (let times = 0; times < 2; times += 1) harness.publish([count(first, 9)]);
    expect(usedOf(harness.month(first) ?? { days: [] })).toBe(4);
  });

  it('stores counts until a day is settled', () => {
    const harness = new UsageHarness();
    harness.now = Date.UTC(2026, 0, 6) + MINUTES_KEPT_DAYS * DAY_MS - 1;
    harness.publish([count(first, 9)]);
    expect(usedOf(harness.month(first) ?? { days: [] })).toBe(9);
  });

  it('removes the hours of a settled month after its minutes, and keeps its days', () => {
    const harness = new UsageHarness();
    harness.now = first;
    for (const day of [0, 1, 2]) {
      harness.now = first + day * DAY_MS;
      harness.publish([count(harness.now, 1)]);
    }
    harness.now = startOfMonth('2026-01', 1 + HOURS_KEPT_MONTHS) + MINUTE_MS;
    for (let times = 0; times < 5; times += 1) {
      harness.now += MINUTE_MS;
      harness.publish([count(harness.now, 1)]);
    }
    for (const day of [0, 1, 2]) {
      expect(harness.hour(first + day * DAY_MS)).toBe(null);
      expect(harness.day(first + day * DAY_MS)).toBe(null);
    }
    expect(usedOf(harness.month(first) ?? { days: [] })).toBe(3);
    expect(harness.keyRoot?.monthsWithHours).toEqual([utcMonth(harness.now)]);
  });
});
