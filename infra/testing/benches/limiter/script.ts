import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { DAY_MS, endOfUtcMonth, MINUTE_MS, utcMonth } from '../../../../schemas/base/time.ts';
import type { CheckRequest } from '../../../../schemas/limiter/http.ts';
import { DENIED_KEPT_MS, DENIED_WINDOWS_MAX } from '../../../../topics/ports/limiter.ts';
import { LimiterKeys, memberOf } from '../../../engines/redis/limiter-keys.ts';
import { ACCOUNT, IDENTIFIERS, KEY, KEY_ID, QUOTA } from './scene.ts';

/** The server is not restarted, so any name does. */
const MEMORY = 'bench';

interface Defined {
  check(...keysAndArguments: (string | number)[]): Promise<[number, number, number, string | number, string]>;
}

/** The answer of a hand-written handler. */
export interface HandMade {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly limit: number;
  readonly reset_at: number;
  readonly namespace: string;
  readonly identifier: string;
}

/**
 * Opens the same script on the same server, as a command that ioredis defines and pipelines automatically. Writes the
 * key state again before its status expires.
 */
export async function openScript(url: string): Promise<(asked: CheckRequest) => Promise<HandMade>> {
  const client = new Redis(url, { enableAutoPipelining: true, enableOfflineQueue: false, lazyConnect: true });
  await client.connect();
  client.defineCommand('check', {
    numberOfKeys: 6,
    lua: readFileSync(new URL('../../../engines/redis/scripts/limiter-check.lua', import.meta.url), 'utf8'),
  });
  const keys = new LimiterKeys('bare:');
  const key = { account: ACCOUNT, keyId: KEY_ID };
  const stateKey = keys.state(key);
  const renew = async (): Promise<void> => {
    await client.hset(
      stateKey,
      'status',
      'active',
      'version',
      1,
      'until',
      Date.now() + MINUTE_MS,
      'memory',
      MEMORY,
    );
    await client.pexpire(stateKey, DAY_MS);
  };
  const month = utcMonth(Date.now());
  await client.hset(stateKey, 'month', month, 'used', 0, 'ends', endOfUtcMonth(month));
  await renew();
  setInterval(() => void renew(), MINUTE_MS / 4).unref();
  const { check } = client as unknown as Defined;
  return async ({ namespace, identifier, limit, window }) => {
    const counted = { ...key, mode: 'test', windowMs: window, namespace, identifier } as const;
    const quota = [QUOTA.minute, QUOTA.month ?? -1];
    const [, , , , answer] = await check.call(
      client,
      stateKey,
      keys.unpublished(ACCOUNT),
      keys.windows(ACCOUNT),
      ...keys.denied(key),
      keys.window(counted),
      MEMORY,
      memberOf(KEY_ID, 'test'),
      ...quota,
      MINUTE_MS,
      IDENTIFIERS * 2,
      DENIED_WINDOWS_MAX,
      DENIED_KEPT_MS,
      0,
      1,
      '',
      limit,
      window,
      1,
      0,
    );
    const [, allowed, remaining = 0, resetAt = 0] = answer.split(' ').map(Number);
    return { allowed: allowed === 1, remaining, limit, reset_at: resetAt, namespace, identifier };
  };
}

/** True if a request carries the key of the benchmark. */
export function carriesKey(authorization: string | undefined): boolean {
  return authorization === `Bearer ${KEY}`;
}
