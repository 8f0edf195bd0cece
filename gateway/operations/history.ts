import { isoTime, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import {
  HISTORY_RANGES,
  type HistoryAnswer,
  type HistoryPoint,
  type HistoryRange,
  type KeptPoints,
  type RequestPoint,
  SAMPLE_INTERVAL_MS,
  type TopicPoint,
} from '../../schemas/operations/history.ts';
import type { OperationsSummary, RequestSummary } from '../../schemas/operations/summary.ts';

const RANGES = Object.keys(HISTORY_RANGES) as HistoryRange[];

/** Time over which the rates of topics are computed. */
const RATE_WINDOW_MS = 5 * MINUTE_MS;

/** Records per second; null where two readings that belong together are missing. */
export interface TopicRates {
  readonly inPerSecond: number | null;
  readonly outPerSecond: number | null;
}

/** Numbers of answers, estimated from their rates. */
export interface AnswerCounts {
  readonly all: number;
  readonly counted: number;
  /** The begin of the first step in which one counted; null if none did. Unix milliseconds. */
  readonly since: number | null;
}

/** The numbers of all processes over time. Its size is bounded by {@link HISTORY_RANGES}. */
export class History {
  readonly #points = new Map<HistoryRange, HistoryPoint[]>(RANGES.map((range) => [range, []]));

  /** Adds a reading to its step of each range. @param at Unix milliseconds */
  add(summary: Pick<OperationsSummary, 'requests' | 'topics'>, at: number): void {
    for (const range of RANGES) {
      const { stepMs, points: most } = HISTORY_RANGES[range];
      const points = this.#of(range);
      const sample = pointOf(summary, Math.floor(at / stepMs) * stepMs);
      const last = points.at(-1);
      // A clock that was set back begins no second point for the same time.
      if (last !== undefined && sample.at <= last.at) points[points.length - 1] = joined(last, sample);
      else points.push(sample);
      if (points.length > most) points.shift();
    }
  }

  /** Returns a copy for the next process. */
  kept(): KeptPoints {
    return Object.fromEntries(RANGES.map((range) => [range, [...this.#of(range)]])) as KeptPoints;
  }

  /** Adds the points of an earlier process that lie before those of this one. */
  adopt(kept: KeptPoints): void {
    for (const range of RANGES) {
      const own = this.#of(range);
      const first = own[0]?.at ?? Infinity;
      const all = [...kept[range].filter(({ at }) => at < first), ...own];
      this.#points.set(range, all.slice(-HISTORY_RANGES[range].points));
    }
  }

  /** Returns the lines of a range up to a time, with null for steps without a reading. */
  read(range: HistoryRange, now: number): HistoryAnswer {
    const { stepMs, points: most } = HISTORY_RANGES[range];
    const known = new Map(this.#of(range).map((point) => [point.at, point]));
    const end = Math.floor(now / stepMs) * stepMs;
    const times = Array.from({ length: most }, (_, index) => end - (most - 1 - index) * stepMs);
    const line = (readPoint: (point: HistoryPoint) => number | null | undefined) =>
      times.map((at) => {
        const point = known.get(at);
        return point === undefined ? null : (readPoint(point) ?? null);
      });
    const requests = (name: 'checks' | 'others') => ({
      perSecond: line((point) => point[name].perSecond),
      errorsPerSecond: line((point) => point[name].errorsPerSecond),
      medianMs: line((point) => point[name].medianMs),
      p99Ms: line((point) => point[name].p99Ms),
    });
    const names = new Set([...known.values()].flatMap(({ topics }) => Object.keys(topics)));
    return {
      range,
      stepSeconds: stepMs / SECOND_MS,
      times: times.map(isoTime),
      checks: requests('checks'),
      others: requests('others'),
      topics: [...names].sort().map((name) => {
        const [topic = '', group = ''] = name.split(' ');
        const lag = line(({ topics }) => topics[name]?.lag);
        return { topic, group, lag, ageMs: line(({ topics }) => topics[name]?.ageMs) };
      }),
    };
  }

  /** Returns the rates of a consumer over the latest five minutes. */
  ratesOf(topic: string, group: string, now: number): TopicRates {
    const read = this.#of('15m').flatMap(({ at, topics }) => {
      const point = topics[nameOf(topic, group)];
      return point === undefined || now - at > RATE_WINDOW_MS ? [] : [{ at, ...point }];
    });
    const [first, last] = [read[0], read.at(-1)];
    if (first === undefined || last === undefined || first === last) return UNKNOWN_RATES;
    const seconds = (last.at - first.at) / SECOND_MS;
    const [added, left] = [last.records - first.records, last.lag - first.lag];
    // Partitions have come or gone: the numbers are not those of the same ones.
    if (added < 0 || added < left) return UNKNOWN_RATES;
    return { inPerSecond: rounded(added / seconds), outPerSecond: rounded((added - left) / seconds) };
  }

  /** Returns the answers of a range, and those of them for which `rateOf` counts. */
  countsOf(
    range: HistoryRange,
    kinds: readonly ('checks' | 'others')[],
    rateOf: (point: RequestPoint) => number,
  ): AnswerCounts {
    let [all, counted] = [0, 0];
    let since: number | null = null;
    for (const point of this.#of(range)) {
      const seconds = (point.samples * SAMPLE_INTERVAL_MS) / SECOND_MS;
      for (const kind of kinds) {
        all += seconds * point[kind].perSecond;
        counted += seconds * rateOf(point[kind]);
        if (rateOf(point[kind]) > 0) since ??= point.at;
      }
    }
    return { all, counted: Math.min(all, counted), since };
  }

  #of(range: HistoryRange): HistoryPoint[] {
    return this.#points.get(range) ?? [];
  }
}

const UNKNOWN_RATES: TopicRates = { inPerSecond: null, outPerSecond: null };

function nameOf(topic: string, group: string): string {
  return `${topic} ${group}`;
}

function pointOf(
  { requests, topics }: Pick<OperationsSummary, 'requests' | 'topics'>,
  at: number,
): HistoryPoint {
  const read = topics.filter(({ isCurrent, isBehindOnPurpose }) => isCurrent && !isBehindOnPurpose);
  return {
    at,
    samples: 1,
    checks: requestPoint(requests.checks),
    others: requestPoint(requests.others),
    topics: Object.fromEntries(
      read.map(({ topic, group, records, lag, oldestAt, readAt }) => {
        const ageMs = oldestAt === null ? 0 : Math.max(0, Date.parse(readAt) - Date.parse(oldestAt));
        return [nameOf(topic, group), { records, lag, ageMs }];
      }),
    ),
  };
}

function requestPoint({ perSecond, answers, errors, fast, medianMs, p99Ms }: RequestSummary): RequestPoint {
  const part = (count: number) => (answers === 0 ? 0 : rounded((perSecond * count) / answers));
  return {
    perSecond,
    errorsPerSecond: part(errors),
    fastPerSecond: part(fast),
    medianMs,
    p99Ms,
  };
}

/** Joins two points of one step. */
function joined(left: HistoryPoint, right: HistoryPoint): HistoryPoint {
  const samples = left.samples + right.samples;
  const mean = (first: number, second: number) =>
    rounded((first * left.samples + second * right.samples) / samples);
  const requests = (first: RequestPoint, second: RequestPoint): RequestPoint => ({
    perSecond: mean(first.perSecond, second.perSecond),
    errorsPerSecond: mean(first.errorsPerSecond, second.errorsPerSecond),
    fastPerSecond: mean(first.fastPerSecond, second.fastPerSecond),
    medianMs: highest(first.medianMs, second.medianMs),
    p99Ms: highest(first.p99Ms, second.p99Ms),
  });
  const topics: Record<string, TopicPoint> = { ...left.topics };
  for (const [name, point] of Object.entries(right.topics)) {
    const { lag = 0, ageMs = 0 } = topics[name] ?? {};
    topics[name] = {
      records: point.records,
      lag: Math.max(lag, point.lag),
      ageMs: Math.max(ageMs, point.ageMs),
    };
  }
  return {
    at: left.at,
    samples,
    checks: requests(left.checks, right.checks),
    others: requests(left.others, right.others),
    topics,
  };
}

function highest(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.max(left, right);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
