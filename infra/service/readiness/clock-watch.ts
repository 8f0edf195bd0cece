import type { RuntimeLogger } from '../../../processors/runtime/dependencies.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { LogTime } from '../engine/ports.ts';

/** A process whose clock is further than this from the log's is not ready. */
export const CLOCK_APART_MS_MAX = 5 * SECOND_MS;

/** The interval between two comparisons of the clocks. */
const CLOCK_COMPARISON_INTERVAL_MS = 5 * SECOND_MS;

export function isApart(aheadMs: number): boolean {
  return Math.abs(aheadMs) > CLOCK_APART_MS_MAX;
}

/** Logs when the clocks of this process and of the log drift apart, when they agree again, and when the local one was set. */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #logClock: LogTime;
  readonly #logger: RuntimeLogger;
  readonly #elapsed: () => number;
  #wasApart = false;
  #last: { readonly now: number; readonly elapsed: number };

  /** @param elapsed monotonic time in milliseconds */
  constructor(
    clock: Clock,
    logClock: LogTime,
    logger: RuntimeLogger,
    elapsed: () => number = () => performance.now(),
  ) {
    this.#clock = clock;
    this.#logClock = logClock;
    this.#logger = logger;
    this.#elapsed = elapsed;
    this.#last = { now: clock.now(), elapsed: elapsed() };
  }

  compare(): void {
    const [now, elapsed] = [this.#clock.now(), this.#elapsed()];
    const steppedMs = Math.round(now - this.#last.now - (elapsed - this.#last.elapsed));
    this.#last = { now, elapsed };
    if (isApart(steppedMs)) this.#logger.warn({ steppedMs }, 'ClockStepped');
    const aheadMs = this.#logClock.aheadMs();
    if (isApart(aheadMs) === this.#wasApart) return;
    this.#wasApart = !this.#wasApart;
    if (this.#wasApart) this.#logger.error({ aheadMs, mostMs: CLOCK_APART_MS_MAX }, 'ClockApart');
    else this.#logger.warn({ aheadMs }, 'ClockAgreesAgain');
  }
}

/** Starts to compare the clocks periodically. Returns a function that stops it. */
export function startClockWatch(clock: Clock, logClock: LogTime, logger: RuntimeLogger): () => Promise<void> {
  const watch = new ClockWatch(clock, logClock, logger);
  const timer = setInterval(() => watch.compare(), CLOCK_COMPARISON_INTERVAL_MS).unref();
  watch.compare();
  return async () => clearInterval(timer);
}
