import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  Client,
  type Method,
  type RequestOptions,
  UnexpectedAnswerError,
} from '../../../demo/client.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';

/**
 * Longer than several starts of a service take one after another, on a busy machine. On a cluster each of them waits until
 * the groups have given up the process that was killed.
 */
const PATIENCE_MS = isOnCluster() ? 120_000 : 30_000;
const PAUSE_MS = 15;

/** Error codes of Node for a refused connection, and for one that ended before the whole answer arrived. */
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Causes of an error that are examined. */
const CAUSES_MAX = 4;

/** A client that sends each request, byte for byte the same, until it is answered. */
export class PatientClient extends Client {
  #repeats = 0;

  /** Requests that had to be sent again. */
  get repeats(): number {
    return this.#repeats;
  }

  override async exchange<Body>(
    method: Method,
    target: string,
    status: number,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await super.exchange<Body>(method, target, status, options);
      } catch (error) {
        if (!isWorthRepeating(error) || Date.now() > deadline) throw error;
      }
      this.#repeats += 1;
      await pause(PAUSE_MS);
    }
  }
}

/** True if an error is the answer with this status. */
export function isAnswer(error: unknown, status: number): boolean {
  return error instanceof UnexpectedAnswerError && error.status === status;
}

function isWorthRepeating(error: unknown): boolean {
  return isAnswer(error, 503) || isConnectionError(error);
}

function isConnectionError(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ('code' in cause && CONNECTION_CODES.has(String(cause.code))) return true;
    cause = cause.cause;
  }
  return false;
}
