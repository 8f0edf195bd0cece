// Joins and leaves: the consumer group of browser runs.
import { setTimeout as pause } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../../schemas/base/backoff.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import type { Consumer } from '../../topics/ports/log.ts';

/** Between two tries to start a browser. */
const RETRY_PAUSES: Backoff = { firstMs: SECOND_MS, maxMs: 30 * SECOND_MS };
/** Between two looks at a runner that has a browser. */
const LOOK_MS = SECOND_MS;

interface Runner {
  /** The reason for which it has no browser; null if it has one. */
  unready(): string | null;
  /** Tries to start a browser. Returns true if there is one. */
  warmUp(): Promise<boolean>;
}

/** Consumes runs only while their runner can start a browser, so that other runners get them otherwise. */
export class RunnerConsumer implements Consumer {
  readonly #consume: () => Promise<Consumer>;
  readonly #runner: Runner;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #consumer: Consumer | null = null;

  constructor(runner: Runner, consume: () => Promise<Consumer>) {
    this.#runner = runner;
    this.#consume = consume;
    this.#ended = this.#keep();
  }

  async status(): ReturnType<Consumer['status']> {
    return (await this.#consumer?.status()) ?? [];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #keep(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      if (!(await this.#runner.warmUp())) {
        failures += 1;
        await this.#wait(backoffMs(failures, RETRY_PAUSES));
        continue;
      }
      failures = 0;
      // An engine that is away is tried again like a browser.
      this.#consumer = await this.#consume().catch(() => null);
      do await this.#wait(LOOK_MS);
      while (this.#consumer !== null && this.#runner.unready() === null && !this.#stopping.signal.aborted);
      // A log that does not answer ends the membership by itself.
      await this.#consumer?.stop().catch(() => undefined);
      this.#consumer = null;
    }
  }

  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}
