import type { Admin } from 'kafkajs';
import { settlesWithin, withTimeout } from '../../../schemas/base/timeout.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { createClient } from './client.ts';
import { ENGINE, type KafkaLogger, type KafkaOptions, noAnswer } from './options.ts';

/** Timeout of one request, including the retries of the client. */
const ADMINISTRATION_TIMEOUT_MS = 8_000;

const DISCONNECT_TIMEOUT_MS = 10_000;

/** A connection and its unanswered requests. */
interface Connection {
  readonly admin: Promise<Admin>;
  readonly open: Set<Promise<unknown>>;
}

/** Sends administrative requests about topics, offsets and groups. A new connection replaces one that failed. */
export class Administrator {
  readonly #options: KafkaOptions;
  readonly #logger: KafkaLogger;
  #connection: Connection | null = null;
  readonly #leaving = new Set<Promise<void>>();
  #closed = false;

  constructor(options: KafkaOptions, logger: KafkaLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** @throws {EngineUnavailableError} if no answer arrives in time, with the client's error as its cause */
  async ask<Answer>(question: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw new EngineUnavailableError(ENGINE);
    this.#connection ??= { admin: this.#connect(), open: new Set() };
    const connection = this.#connection;
    const asking = connection.admin.then(question);
    connection.open.add(asking);
    try {
      const answer = await withTimeout(ADMINISTRATION_TIMEOUT_MS, asking, noAnswer);
      connection.open.delete(asking);
      return answer;
    } catch (error) {
      this.#replace(connection);
      throw error instanceof EngineUnavailableError
        ? error
        : new EngineUnavailableError(ENGINE, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#connection !== null) this.#replace(this.#connection);
    await settlesWithin(DISCONNECT_TIMEOUT_MS, Promise.all(this.#leaving));
  }

  async #connect(): Promise<Admin> {
    const admin = createClient(this.#options, this.#logger).admin();
    await admin.connect();
    return admin;
  }

  #replace(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    const leaving = leave(connection).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

/**
 * Disconnects after the client has given up every request. Earlier, the client would reconnect for its next retry.
 */
async function leave({ admin, open }: Connection): Promise<void> {
  await Promise.allSettled(open);
  const [connected] = await Promise.allSettled([admin]);
  if (connected.status === 'fulfilled') await Promise.allSettled([connected.value.disconnect()]);
}
