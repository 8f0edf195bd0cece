import type { Admin } from 'kafkajs';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { createClient } from './client.ts';
import { ENGINE, type KafkaLogger, type KafkaOptions } from './options.ts';
import { settledWithin, within } from './within.ts';

/** How long one question may take with everything that the client tries again. */
export const ADMINISTRATION_TIMEOUT_MS = 8_000;

const DISCONNECT_TIMEOUT_MS = 10_000;

/** Questions about topics, offsets and groups, over a connection that is made anew after a failure. */
export class Administrator {
  readonly #options: KafkaOptions;
  readonly #logger: KafkaLogger;
  #admin: Promise<Admin> | null = null;
  #closed = false;

  constructor(options: KafkaOptions, logger: KafkaLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** @throws {EngineUnavailableError} when there is no answer in time, with the client's own error as its cause. */
  async ask<Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw new EngineUnavailableError(ENGINE);
    this.#admin ??= this.#open();
    const connecting = this.#admin;
    const asking = connecting.then(question);
    try {
      return await within(ADMINISTRATION_TIMEOUT_MS, asking);
    } catch (error) {
      if (this.#admin === connecting) this.#admin = null;
      void this.#leave(connecting, asking);
      throw error instanceof EngineUnavailableError
        ? error
        : new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#admin === null) return;
    await settledWithin(DISCONNECT_TIMEOUT_MS, this.#leave(this.#admin, this.#admin));
  }

  async #open(): Promise<Admin> {
    const admin = createClient(this.#options, this.#logger).admin();
    await admin.connect();
    return admin;
  }

  /** Disconnects when the client has given up, because until then it would connect again for its next attempt. */
  async #leave(connecting: Promise<Admin>, last: Promise<unknown>): Promise<void> {
    await Promise.allSettled([last]);
    const [connected] = await Promise.allSettled([connecting]);
    if (connected.status === 'fulfilled') await Promise.allSettled([connected.value.disconnect()]);
  }
}
