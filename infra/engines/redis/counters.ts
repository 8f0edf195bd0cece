import { readFileSync } from 'node:fs';
import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import type { Counters, TakeResult } from '../../../topics/ports/counters.ts';
import { askWithTimeout, connectWithoutTimeout, type RedisSettings } from './connection.ts';
import { Script } from './script.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    take(key: string, limit: number, windowMs: number): Result<unknown, Context>;
  }
}

const TAKE = readFileSync(new URL('scripts/take.lua', import.meta.url), 'utf8');

const GIVE_BACK = new Script('give-back');

/** The result of the script: whole numbers only, because Redis truncates fractions. */
const takenSchema = z.tuple([z.literal([0, 1]), z.int().nonnegative(), z.int().positive()]);

/**
 * Counters of any number of gateways on one Redis primary, with one round trip a call. Exact while the primary stays:
 * a failover may admit calls that were not replicated, and a server without persistence loses its windows when it
 * restarts.
 */
export class RedisCounters implements Counters {
  readonly #client: Redis;
  readonly #prefix: string;

  private constructor(client: Redis, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  static async open(settings: RedisSettings): Promise<RedisCounters> {
    const client = await connectWithoutTimeout(settings, { enableAutoPipelining: true });
    // Sent as EVALSHA; if the server does not know the script, its source is sent once.
    client.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
    return new RedisCounters(client, settings.prefix);
  }

  async take(key: string, limit: number, windowMs: number): Promise<TakeResult> {
    const taken = await askWithTimeout(this.#client, 'counters', () =>
      this.#client.take(`${this.#prefix}counter:${key}`, limit, windowMs),
    );
    const [allowed, remaining, resetAt] = takenSchema.parse(taken);
    return { allowed: allowed === 1, remaining, resetAt };
  }

  async giveBack(key: string, _windowMs: number, resetAt: number): Promise<void> {
    const keys = [`${this.#prefix}counter:${key}`];
    await askWithTimeout(this.#client, 'counters', () => GIVE_BACK.run(this.#client, keys, [resetAt]));
  }

  async close(): Promise<void> {
    this.#client.disconnect();
  }
}
