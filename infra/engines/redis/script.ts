import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

type Argument = string | number;

/** A Lua script of the folder `scripts`, called by its digest. */
export class Script {
  readonly #source: string;
  readonly #digest: string;

  /** @param file the script's file name without `.lua` */
  constructor(file: string) {
    this.#source = readFileSync(new URL(`scripts/${file}.lua`, import.meta.url), 'utf8');
    this.#digest = createHash('sha1').update(this.#source).digest('hex');
  }

  /**
   * Runs the script once. A server that does not know it has executed nothing, and then receives the whole source.
   * That applies to each command of a pipeline separately.
   */
  async run(client: Redis, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    try {
      return await client.evalsha(this.#digest, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await client.eval(this.#source, keys.length, ...keys, ...args);
    }
  }
}
