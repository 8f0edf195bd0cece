import {
  ANSWER_BOUNDS_MS,
  addCounts,
  type ProcessReport,
  type RequestCounts,
} from '../../../schemas/operations/process-report.ts';
import type { AnsweredRequest, RequestMeter } from '../../../topics/ports/meter.ts';

/** Intervals that are counted together: rare requests make no rate within one. */
const INTERVALS_KEPT = 12;

/** The paths of the rate limiter's checks. */
const CHECK_PATHS: readonly string[] = ['/v1/check', '/v1/checks', '/v1/checks/each'];

/** Paths of requests that load balancers and monitors send. */
const PROBE_PATHS: readonly string[] = ['/livez', '/readyz', '/v1/health'];

interface Interval {
  readonly startedAt: number;
  readonly checks: RequestCounts;
  readonly others: RequestCounts;
}

/** Counts the requests of the latest intervals. */
export class RequestWindow implements RequestMeter {
  readonly #intervals: Interval[] = [];
  readonly #elapsed: () => number;

  /** @param elapsed monotonic time in milliseconds */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
    this.#begin();
  }

  answered({ route, status, ms }: AnsweredRequest): void {
    const interval = this.#intervals.at(-1);
    if (interval === undefined || route === null || status === null || PROBE_PATHS.includes(route.path))
      return;
    const counts = CHECK_PATHS.includes(route.path) ? interval.checks : interval.others;
    const at = ANSWER_BOUNDS_MS.findIndex((bound) => ms <= bound);
    const index = at === -1 ? ANSWER_BOUNDS_MS.length : at;
    counts.answers[index] = (counts.answers[index] ?? 0) + 1;
    if (status >= 500) counts.errors += 1;
  }

  /** Returns the counts of the latest intervals, and begins the next one. */
  read(): NonNullable<ProcessReport['requests']> {
    const now = this.#elapsed();
    const counted = {
      windowMs: Math.round(now - (this.#intervals[0]?.startedAt ?? now)),
      checks: addCounts(this.#intervals.map(({ checks }) => checks)),
      others: addCounts(this.#intervals.map(({ others }) => others)),
    };
    this.#begin();
    return counted;
  }

  #begin(): void {
    this.#intervals.push({ startedAt: this.#elapsed(), checks: addCounts([]), others: addCounts([]) });
    if (this.#intervals.length > INTERVALS_KEPT) this.#intervals.shift();
  }
}
