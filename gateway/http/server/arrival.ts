import type { IncomingMessage } from 'node:http';
import { refusal, ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import type { Limits } from '../../../schemas/limits.ts';

/** The maximum time for a body that is read into memory, in milliseconds. */
export const BODY_MS = 2 * MINUTE_MS;

/** The least speed at which a body has to arrive. */
export interface Arrival {
  /** The maximum time of the whole body, in milliseconds. */
  readonly totalMs: number;
  /** The least that has to arrive in every window of this length; null: no such rule. */
  readonly pace: { readonly windowMs: number; readonly bytesMin: number } | null;
  /** The refusal of a body that is too late or too slow. */
  readonly tooLate: () => ServiceError;
}

/** Returns the refusal of a body that did not arrive within a time, in milliseconds. */
export function lateBody(withinMs: number): ServiceError {
  const expected = `all of it within ${withinMs / SECOND_MS} seconds`;
  return serviceError('bad_request', { at: 'body', seen: 'a part of it', expected });
}

/** The bounds of a body that is no upload. */
export const COMMON_ARRIVAL: Arrival = { totalMs: BODY_MS, pace: null, tooLate: () => lateBody(BODY_MS) };

/** The bounds of an uploaded file: slow lines get minutes, stalled ones do not. */
export function uploadArrival({ uploadMs, uploadBytesPerSecond }: Limits['imports']): Arrival {
  const minutes = uploadMs / MINUTE_MS;
  return {
    totalMs: uploadMs,
    pace: { windowMs: PACE_WINDOW_MS, bytesMin: (uploadBytesPerSecond * PACE_WINDOW_MS) / SECOND_MS },
    tooLate: () =>
      new ServiceError(
        refusal(
          'unavailable',
          `body: arrived too slowly, expected ${uploadBytesPerSecond} bytes a second over any minute and all of it in ${minutes} minutes. Send it again with the same token.`,
          UPLOAD_RETRY_SECONDS,
        ),
      ),
  };
}

/**
 * The maximum time of a whole request in milliseconds. It exceeds that of the slowest body, so that the reader of the body refuses
 * first, with the status that fits.
 */
export function longestRequestMs({ uploadMs }: Limits['imports']): number {
  return Math.max(BODY_MS, uploadMs) + REQUEST_SPARE_MS;
}

/** The maximum time of a request beside its body. */
const REQUEST_SPARE_MS = MINUTE_MS;
const PACE_WINDOW_MS = MINUTE_MS;
/** The wait before a slow upload is sent again. A slow caller is seldom fast a second later. */
const UPLOAD_RETRY_SECONDS = 5;
/** Parts of a window that are counted: the rule holds for a window that begins at any of them. */
const PARTS = 12;

/**
 * Yields the pieces of a body in the order of their arrival. At most one piece is buffered ahead of the reader.
 * {@link close} leaves the connection open, so that an answer gets through.
 */
export class ArrivingBody {
  readonly #request: IncomingMessage;
  readonly #arrival: Arrival;
  readonly #deadline: NodeJS.Timeout;
  readonly #watch: NodeJS.Timeout | null;
  readonly #pieces: Uint8Array[] = [];
  readonly #parts: number[] = [];
  #arrived = 0;
  #ended = false;
  #failure: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(request: IncomingMessage, arrival: Arrival) {
    this.#request = request;
    this.#arrival = arrival;
    this.#deadline = setTimeout(() => this.#fail(arrival.tooLate()), arrival.totalMs);
    const { pace } = arrival;
    this.#watch = pace === null ? null : setInterval(() => this.#checkPace(pace), pace.windowMs / PARTS);
    request.on('data', this.#take).on('end', this.#end).on('error', this.#fail).on('close', this.#abort);
    if (request.destroyed) this.#abort();
  }

  /**
   * The next piece, or null at the end of the body.
   *
   * @throws {ServiceError} when the body arrives too late or too slowly; {Error} when the caller goes away.
   */
  async next(): Promise<Uint8Array | null> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) return piece;
      if (this.#failure !== null) throw this.#failure;
      if (this.#ended) return null;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#request.resume();
      await woken;
    }
  }

  /** Stops reading. */
  close(): void {
    clearTimeout(this.#deadline);
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#request
      .off('data', this.#take)
      .off('end', this.#end)
      .off('error', this.#fail)
      .off('close', this.#abort);
    this.#request.pause();
  }

  readonly #take = (piece: Uint8Array): void => {
    this.#arrived += piece.length;
    this.#pieces.push(piece);
    this.#request.pause();
    this.#wake();
  };

  readonly #end = (): void => {
    this.#ended = true;
    this.#wake();
  };

  readonly #fail = (error: Error): void => {
    this.#failure ??= error;
    this.#wake();
  };

  readonly #abort = (): void => {
    if (!this.#ended) this.#fail(new Error('reading a body whose sender went away'));
  };

  #checkPace({ bytesMin }: NonNullable<Arrival['pace']>): void {
    this.#parts.push(this.#arrived);
    this.#arrived = 0;
    if (this.#parts.length < PARTS || this.#ended) return;
    const arrived = this.#parts.reduce((sum, part) => sum + part, 0);
    this.#parts.shift();
    if (arrived < bytesMin) this.#fail(this.#arrival.tooLate());
  }
}
