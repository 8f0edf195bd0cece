import type { Logger } from 'pino';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { describeError } from './logging.ts';

/** Shortest time between two lines about requests that could not be served. */
const LINE_EVERY_MS = SECOND_MS;

/**
 * Logs that requests were refused for a reason of the service, such as an engine that did not answer: one line a second at
 * most, with the number of requests since the line before and the error of the first.
 */
export class UnservedLog {
  readonly #logger: Logger;
  #requests = 0;
  #first: unknown;
  #timer: NodeJS.Timeout | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(error: unknown): void {
    if (this.#requests === 0) this.#first = error;
    this.#requests += 1;
    if (this.#timer === null) this.#write();
  }

  #write(): void {
    this.#timer = null;
    if (this.#requests === 0) return;
    this.#logger.warn({ requests: this.#requests, error: describeError(this.#first) }, 'RequestsNotServed');
    this.#requests = 0;
    this.#first = undefined;
    this.#timer = setTimeout(() => this.#write(), LINE_EVERY_MS).unref();
  }
}
