import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import type { TurnedAway } from '../../../topics/ports/meter.ts';
import type { Overload } from './overload.ts';

/** The wait before a refused caller tries again. */
const RETRY_AFTER_SECONDS = 1;

/**
 * The time that a refusal waits. A caller that ignores `Retry-After` sends its next request when it is refused: without a pause,
 * the event loop would do little else than refuse.
 */
const REFUSAL_MS = 100;

/** Refusals in one turn of the event loop, so that admitted requests go first. */
const REFUSALS_A_TURN_MAX = 1_000;

/**
 * The bytes of JSON that count as a short request: those of forty checks. They take longer than that, but a caller with a hundred checks
 * in each of its requests keeps connections enough while a gateway warms up.
 */
const BYTES_OF_SHORT = 4_096;

/** The weight of a long request, so that a share has room for it. */
const WEIGHT_MAX = 64;

const REFUSALS = {
  full: () =>
    serviceError(
      'unavailable',
      'The service is overloaded. Send the same request again.',
      RETRY_AFTER_SECONDS,
    ),
  'share-full': () =>
    serviceError(
      'rate_limited',
      {
        at: 'request.rate',
        seen: 'more requests under way than the share of one caller of an overloaded service',
        expected: 'fewer at the same time',
      },
      RETRY_AFTER_SECONDS,
    ),
} as const;

export interface RequestQueueOptions {
  readonly overload: Overload;
  readonly serve: RequestListener;
  readonly refuse: (request: IncomingMessage, response: ServerResponse, error: ServiceError) => void;
  /** Names who fills a share with a request, before anything of it is checked. */
  readonly holderOf: (request: IncomingMessage) => string;
  readonly isAlwaysServed: (request: IncomingMessage) => boolean;
  readonly onTurnedAway: (reason: TurnedAway) => void;
}

type Waiting = readonly [IncomingMessage, ServerResponse];

interface Refused {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly error: ServiceError;
  readonly since: number;
}

/**
 * The entrance of a gateway. While the event loop is saturated, requests wait for a turn of it: then it is known whose
 * caller has gone. Those are dropped, and the others are served or refused before their body is read.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  #waiting: Waiting[] = [];
  /** Requests whose refusal is postponed, the oldest first. */
  #refused: Refused[] = [];

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const { overload, serve, isAlwaysServed } = this.#options;
    if (isAlwaysServed(request)) serve(request, response);
    else if (!overload.isSaturated) this.#admit(request, response);
    else {
      if (this.#waiting.length === 0) setImmediate(() => this.#admitNextTurn());
      this.#waiting.push([request, response]);
    }
  }

  /** The end of a connection is read in the turn after its last bytes. */
  #admitNextTurn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    setImmediate(() => this.#admitAll(waiting));
  }

  #admitAll(waiting: readonly Waiting[]): void {
    for (const [request, response] of waiting) {
      if (!request.socket.writable) this.#options.onTurnedAway('gone');
      else this.#admit(request, response);
    }
  }

  #admit(request: IncomingMessage, response: ServerResponse): void {
    const { overload, serve, holderOf, onTurnedAway } = this.#options;
    const place = overload.admit(holderOf(request), weightOf(request));
    if (typeof place === 'string') {
      onTurnedAway(place === 'full' ? 'overload' : 'share');
      if (this.#refused.length === 0) this.#refuseLater(REFUSAL_MS);
      this.#refused.push({ request, response, error: REFUSALS[place](), since: performance.now() });
      return;
    }
    response.once('close', () => overload.end(place));
    serve(request, response);
  }

  #refuseLater(ms: number): void {
    setTimeout(() => this.#refuseDue(), ms);
  }

  #refuseDue(): void {
    const { overload, refuse } = this.#options;
    const due = performance.now() - REFUSAL_MS;
    const firstLater = this.#refused.findIndex(({ since }) => since > due);
    const dueNow = firstLater === -1 ? this.#refused.length : firstLater;
    for (const each of this.#refused.splice(0, Math.min(dueNow, REFUSALS_A_TURN_MAX))) {
      const { request, response, error } = each;
      if (request.socket.writable) overload.refuse(() => refuse(request, response, error));
    }
    const [next] = this.#refused;
    if (next === undefined) return;
    if (next.since <= due) setImmediate(() => this.#refuseDue());
    else this.#refuseLater(next.since - due);
  }
}

/**
 * A request with many entries takes about as long as several short ones. Its body is not read yet, so that its length decides. Uploads
 * of files are no JSON: they arrive while other requests are answered.
 */
function weightOf({ headers }: IncomingMessage): number {
  if (headers['content-type']?.startsWith('application/json') !== true) return 1;
  const bytes = Number(headers['content-length'] ?? 0);
  return Math.min(WEIGHT_MAX, Math.max(1, Math.ceil(bytes / BYTES_OF_SHORT)));
}
