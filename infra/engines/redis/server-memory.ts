import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { askPatiently } from './connection.ts';

const ENGINE = 'Redis server';

/**
 * The name of the memory that a connection reaches. A server takes another name with each start (`run_id`) and with each
 * promotion to a primary (`master_replid`). Both may have lost acknowledged writes, and a server that has them under its old
 * name was never away. The name is read anew on every connection, and it is unknown in between.
 */
export class ServerMemory {
  readonly #client: Redis;
  #name: string | null = null;
  #reading: Promise<string>;

  /**
   * @param client is connected.
   * @throws {EngineUnavailableError} when the server does not answer, or does not say what it is called.
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
      this.#reading = unknown();
    });
    client.on('ready', () => {
      this.#reading = this.#read();
    });
  }

  /** At once while the connection stands. Rejects with `EngineUnavailableError` while there is none. */
  name(): string | Promise<string> {
    return this.#name ?? this.#reading;
  }

  #read(): Promise<string> {
    const reading = askPatiently(this.#client, ENGINE, () => this.#client.info()).then((info) => {
      const name = nameIn(info);
      if (this.#reading === reading) this.#name = name;
      return name;
    });
    // A caller of `name` meets the failure.
    reading.catch(() => undefined);
    return reading;
  }
}

/** What is known while there is no connection. */
function unknown(): Promise<string> {
  const rejected = Promise.reject<string>(new EngineUnavailableError(ENGINE));
  rejected.catch(() => undefined);
  return rejected;
}

function nameIn(info: string): string {
  const [run, replication] = ['run_id', 'master_replid'].map(
    (field) => new RegExp(`^${field}:(\\w+)`, 'm').exec(info)?.[1],
  );
  if (run === undefined || replication === undefined) {
    const cause = new Error('expecting run_id and master_replid in the answer to INFO');
    throw new EngineUnavailableError(ENGINE, { cause });
  }
  return createHash('sha256').update(`${run} ${replication}`).digest('base64url').slice(0, 16);
}
