import { describe, expect, it } from 'vitest';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import {
  HISTORY_RANGES,
  historySchema,
  keptPointsSchema,
  SAMPLE_INTERVAL_MS,
} from '../../schemas/operations/history.ts';
import type { RequestSummary, TopicSummary } from '../../schemas/operations/summary.ts';
import { History } from './history.ts';

const START = Date.UTC(2026, 8, 18, 14);

function requests(perSecond: number, differing: Partial<RequestSummary> = {}): RequestSummary {
  const answers = perSecond * 60;
  return { perSecond, answers, errors: 0, fast: answers, medianMs: 1, p99Ms: 5, ...differing };
}

function topic(records: number, lag: number, differing: Partial<TopicSummary> = {}): TopicSummary {
  return {
    ...{ topic: 'activate', group: 'fold-activate', partitions: 8, halted: 0, records, lag, oldestAt: null },
    ...{ inPerSecond: null, outPerSecond: null, isBehindOnPurpose: false },
    ...{ readAt: isoTime(START), isCurrent: true, ...differing },
  };
}

const numbers = (checks: RequestSummary, ...topics: TopicSummary[]) => ({
  requests: { checks, others: requests(0) },
  topics,
});

describe('the history', () => {
  it('has a value for each step, the mean of rates and the highest of the others, and null without a reading', () => {
    const history = new History();
    history.add(numbers(requests(10, { p99Ms: 7 }), topic(5, 3)), START);
    history.add(numbers(requests(20, { p99Ms: 9 }), topic(9, 1)), START + 5 * SECOND_MS);
    history.add(numbers(requests(40)), START + 20 * SECOND_MS);
    const { times, checks, topics } = historySchema.parse(history.read('15m', START + 29 * SECOND_MS));
    expect([times.length, times.at(-3), checks.perSecond.at(0)]).toEqual([90, isoTime(START), null]);
    expect(checks.perSecond.slice(-3)).toEqual([15, null, 40]);
    expect(checks.p99Ms.slice(-3)).toEqual([9, null, 5]);
    expect(topics).toMatchObject([{ topic: 'activate', group: 'fold-activate' }]);
    expect(topics[0]?.lag.slice(-3)).toEqual([3, null, null]);
  });

  it('leaves out numbers that are old, and consumers that are behind on purpose', () => {
    const history = new History();
    const sweep = { topic: 'sweep', isBehindOnPurpose: true };
    history.add(numbers(requests(1), topic(5, 3, { isCurrent: false }), topic(5, 3, sweep)), START);
    expect(history.read('15m', START).topics).toEqual([]);
  });

  it('stays bounded, and a later process continues with it', () => {
    const history = new History();
    const end = START + 30 * MINUTE_MS;
    for (let at = START; at <= end; at += SAMPLE_INTERVAL_MS) history.add(numbers(requests(1)), at);
    const kept = keptPointsSchema.parse(history.kept());
    expect(kept['15m']).toHaveLength(HISTORY_RANGES['15m'].points);
    expect(kept['24h']).toHaveLength(2);
    const later = new History();
    later.add(numbers(requests(3)), end + 40 * SECOND_MS);
    later.adopt(kept);
    expect(later.read('15m', end + 40 * SECOND_MS).checks.perSecond.slice(-5)).toEqual([
      1,
      null,
      null,
      null,
      3,
    ]);
  });

  it('tells the rates of a consumer over five minutes, unless its partitions have changed', () => {
    const history = new History();
    const rates = (at: number) => history.ratesOf('activate', 'fold-activate', at);
    history.add(numbers(requests(1), topic(0, 100)), START - 6 * MINUTE_MS);
    history.add(numbers(requests(1), topic(1_000, 50)), START);
    expect(rates(START)).toEqual({ inPerSecond: null, outPerSecond: null });
    history.add(numbers(requests(1), topic(1_600, 20)), START + MINUTE_MS);
    expect(rates(START + MINUTE_MS)).toEqual({ inPerSecond: 10, outPerSecond: 10.5 });
    history.add(numbers(requests(1), topic(10, 5)), START + 2 * MINUTE_MS);
    expect(rates(START + 2 * MINUTE_MS)).toEqual({ inPerSecond: null, outPerSecond: null });
  });

  it('counts the answers that were slow, and dates the first of them', () => {
    const history = new History();
    const slow = () => history.countsOf('1h', ['checks'], (point) => point.perSecond - point.fastPerSecond);
    expect(slow()).toEqual({ all: 0, counted: 0, since: null });
    history.add(numbers(requests(10)), START);
    history.add(numbers(requests(10, { fast: 300 })), START + MINUTE_MS);
    expect(slow()).toEqual({ all: 200, counted: 50, since: START + MINUTE_MS });
  });
});
