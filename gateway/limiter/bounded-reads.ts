import { SECOND_MS } from '../../schemas/base/time.ts';
import { withTimeout } from '../../schemas/base/timeout.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';

/**
 * The time that a check waits for the durable state. A key in use needs it once a minute, an idle one with its first
 * call.
 */
export const READ_WAIT_MS = SECOND_MS / 2;

/** After a late read, how long all checks that need one are refused at once. Then one of them tries again. */
export const READ_PAUSE_MS = SECOND_MS;

const ENGINE = 'durable state of keys';

/**
 * Bounds reads of the durable state. A caller waits at most {@link READ_WAIT_MS}. A late read continues, and its
 * result serves the next check. While the state does not answer, one check in {@link READ_PAUSE_MS} waits, and the
 * others are refused at once. So neither callers nor reads pile up.
 */
export class BoundedReads {
  #isLate = false;
  /** By the monotonic clock. */
  #refusedUntil = Number.NEGATIVE_INFINITY;

  /** @throws {EngineUnavailableError} when the state is silent; whatever `read` throws. */
  async wait<Found>(read: () => Promise<Found>): Promise<Found> {
    const begun = performance.now();
    if (begun < this.#refusedUntil) throw new EngineUnavailableError(ENGINE);
    if (this.#isLate) this.#refusedUntil = begun + READ_WAIT_MS;
    const reading = read().then((found) => {
      this.#isLate = false;
      this.#refusedUntil = Number.NEGATIVE_INFINITY;
      return found;
    });
    // A late read continues without a waiter, and may fail.
    reading.catch(() => undefined);
    return withTimeout(READ_WAIT_MS, reading, () => {
      this.#recordTimeout();
      return new EngineUnavailableError(ENGINE);
    });
  }

  #recordTimeout(): void {
    this.#isLate = true;
    this.#refusedUntil = performance.now() + READ_PAUSE_MS;
  }
}
