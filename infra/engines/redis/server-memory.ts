import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { askWithTimeout, placed } from './connection.ts';

const ENGINE = 'server';

/**
 * The name of the data that a connection reaches. A server has another name after each start (`run_id`) and after
 * each promotion to a primary (`master_replid`): both may have lost acknowledged writes. A server with its old name
 * has kept them. The name is read again on every connection, and is unknown in between.
 */
export class ServerMemory {
  readonly #client: Redis;
  #name: string | null = null;
  #reading: Promise<string>;

  /**
   * @param client a connected client
   * @throws {EngineUnavailableError} if the server does not answer, or its answer lacks the names
   */
  static async of(client: Redis): Promise<ServerMemory> {
    const memory = new ServerMemory(client);
    await memory.#reading;
    return memory;
  }

  private constructor(client: Redis) {
    this.#client = client;
    this.#reading = this.#read();
    client.on('close', () => {
      this.#name = null;
      this.#reading = unknown(this.#client);
    });
    client.on('ready', () => {
      this.#reading = this.#read();
    });
  }

  /** Returns the name at once while connected. Rejects with `EngineUnavailableError` while there is no connection. */
  name(): string | Promise<string> {
    return this.#name ?? this.#reading;
  }

  #read(): Promise<string> {
    const reading = askWithTimeout(this.#client, ENGINE, () => this.#client.info()).then((info) => {
      const name = nameIn(info);
      if (this.#reading === reading) this.#name = name;
      return name;
    });
    // The caller of `name` gets the failure.
    reading.catch(() => undefined);
    return reading;
  }
}

/** Returns the result while there is no connection. */
function unknown(client: Redis): Promise<string> {
  const rejected = Promise.reject<string>(new EngineUnavailableError(placed(ENGINE, client)));
  rejected.catch(() => undefined);
  return rejected;
}

function nameIn(info: string): string {
  const [run, replication] = ['run_id', 'master_replid'].map(
    (field) => new RegExp(`^${field}:(\\w+)`, 'm').exec(info)?.[1],
  );
  if (run === undefined || replication === undefined) {
    const cause = new Error('expecting run_id and master_replid in the answer to INFO');
    throw new EngineUnavailableError('Redis server', { cause });
  }
  return createHash('sha256').update(`${run} ${replication}`).digest('base64url').slice(0, 16);
}
