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

/** The last hours of a month, so that minutes lie in two months, days and hours. */
const START = Date.UTC(2026, 10, 30, 22);
const keyId = idFrom('key', keyedDigest('test', 'one'));
const organizationId = idFrom('organization', keyedDigest('test', 'one'));

class UsageWorld extends FoldWorld {
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

  /** What the organization has used of a month. */
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

/** The largest counts of every minute and incarnation, which is all that the fold may keep. */
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
  it('keeps the largest of each minute and incarnation, and sums exactly, in any order and however often', () => {
    fc.assert(
      fc.property(publications, fc.constantFrom(1, 2), (batches, deliveries) => {
        const world = new UsageWorld(deliveries);
        for (const batch of batches) world.publish(batch);
        const expected = [...expectedCounts(batches.flat()).values()];
        for (const month of [START, START + DAY_MS]) {
          const ofMonth = expected.filter(({ minute }) => utcMonth(minute) === utcMonth(month));
          const { days } = world.month(month) ?? { days: [] };
          expect(sumOf(days)).toEqual(sumOf(ofMonth));
          expect(world.metered(month)).toBe(meteredCalls(sumOf(ofMonth)));
        }
        for (const { minute } of expected) {
          const inHour = expected.filter((one) => utcHour(one.minute) === utcHour(minute));
          const hourOfDay = world
            .day(minute)
            ?.hours.find(({ hour }) => hour === new Date(minute).getUTCHours());
          expect(sumOf([hourOfDay ?? NO_CALLS])).toEqual(sumOf(inHour));
          expect(sumOf(world.hour(minute)?.minutes ?? [])).toEqual(sumOf(inHour));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is the same again when everything is folded again', () => {
    fc.assert(
      fc.property(publications, (batches) => {
        const [one, two] = [new UsageWorld(), new UsageWorld()];
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

  it('does not mind an older state of a count that comes late', () => {
    const world = new UsageWorld();
    world.publish([count(START, 7)]);
    world.publish([count(START, 5)]);
    expect(world.hour(START)?.minutes).toEqual([
      { minute: 0, incarnation: 'one', allowed: 7, denied: 0, refused: 0 },
    ]);
  });

  it('adds what another incarnation counted in the same minute', () => {
    const world = new UsageWorld();
    world.publish([count(START, 7), count(START, 3, { incarnation: 'two' })]);
    expect(usedOf(world.month(START) ?? { days: [] })).toBe(10);
  });

  it('tells when the key was used last, and never goes back', () => {
    const world = new UsageWorld();
    world.publish([count(START + MINUTE_MS, 1)]);
    world.publish([count(START, 1)]);
    expect(world.keyRoot?.lastUsedAt).toBe(START + MINUTE_MS);
  });
});

describe('the month of an organization', () => {
  it('adds up its live keys, revoked or not, and leaves test keys out', () => {
    const world = new UsageWorld();
    const other = idFrom('key', keyedDigest('test', 'other'));
    const test = idFrom('key', keyedDigest('test', 'test'));
    world.publish([count(START, 2, { denied: 3, refused: 100 })]);
    world.publish([count(START, 10)], { key: other });
    world.publish([count(START, 1_000)], { key: test, mode: 'test' });
    expect(world.metered(START)).toBe(15);
    expect(usedOf(world.month(START, test) ?? { days: [] })).toBe(1_000);
  });

  it('divides the calls around midnight of the first', () => {
    const world = new UsageWorld();
    const turn = startOfMonth('2026-12');
    world.publish([count(turn - MINUTE_MS, 1), count(turn, 2)]);
    expect([world.metered(turn - 1), world.metered(turn)]).toEqual([1, 2]);
  });
});

describe('what is kept', () => {
  const first = Date.UTC(2026, 0, 5, 10, 30);

  it('drops the minutes of a day once it is settled, with the next count, and keeps the sums', () => {
    const world = new UsageWorld();
    world.now = first;
    world.publish([count(first, 4)]);
    world.now = first + (1 + MINUTES_KEPT_DAYS) * DAY_MS;
    world.publish([count(world.now - (world.now % MINUTE_MS), 1)]);
    expect(world.hour(first)).toBe(null);
    expect(world.day(first)?.hours).toEqual([{ hour: 10, allowed: 4, denied: 0, refused: 0 }]);
    expect(world.keyRoot?.daysWithMinutes).toEqual([utcDay(world.now)]);
  });

  it('takes nothing in for a settled day, whether its minutes are still there or not', () => {
    const world = new UsageWorld();
    world.now = first;
    world.publish([count(first, 4)]);
    world.now = first + (1 + MINUTES_KEPT_DAYS) * DAY_MS;
    for (let times = 0; times < 2; times += 1) world.publish([count(first, 9)]);
    expect(usedOf(world.month(first) ?? { days: [] })).toBe(4);
  });

  it('takes in what comes on the last day before', () => {
    const world = new UsageWorld();
    world.now = Date.UTC(2026, 0, 6) + MINUTES_KEPT_DAYS * DAY_MS - 1;
    world.publish([count(first, 9)]);
    expect(usedOf(world.month(first) ?? { days: [] })).toBe(9);
  });

  it('drops the hours of a month when their time is over, after their minutes, and keeps its days', () => {
    const world = new UsageWorld();
    world.now = first;
    for (const day of [0, 1, 2]) {
      world.now = first + day * DAY_MS;
      world.publish([count(world.now, 1)]);
    }
    world.now = startOfMonth('2026-01', 1 + HOURS_KEPT_MONTHS) + MINUTE_MS;
    for (let times = 0; times < 5; times += 1) {
      world.now += MINUTE_MS;
      world.publish([count(world.now, 1)]);
    }
    for (const day of [0, 1, 2]) {
      expect(world.hour(first + day * DAY_MS)).toBe(null);
      expect(world.day(first + day * DAY_MS)).toBe(null);
    }
    expect(usedOf(world.month(first) ?? { days: [] })).toBe(3);
    expect(world.keyRoot?.monthsWithHours).toEqual([utcMonth(world.now)]);
  });
});
