import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

type Argument = string | number;

/** A Lua script of the folder `scripts`, sent by its digest. */
export class Script {
  readonly #source: string;
  readonly #digest: string;

  /** @param file its name without `.lua` */
  constructor(file: string) {
    this.#source = readFileSync(new URL(`scripts/${file}.lua`, import.meta.url), 'utf8');
    this.#digest = createHash('sha1').update(this.#source).digest('hex');
  }

  /**
   * Runs it once. A server that does not know it (any more) has run nothing and is sent the whole source, which makes it
   * known again; that holds for each command of a pipeline by itself.
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
