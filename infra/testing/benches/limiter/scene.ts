// What all contenders are asked: one key whose own quotas are never reached, and many identifiers, each far below its limit.
import { idFrom } from '../../../../schemas/base/ids.ts';
import { limiterKeyFrom } from '../../../../schemas/limiter/keys.ts';
import type { Check } from '../../../../topics/ports/limiter.ts';

export const CONTENDERS = [
  'ours',
  'ours-in-2-processes',
  'ours-in-4-processes',
  'ours-several',
  'ours-each',
  'node-http',
  'express',
  'rate-limiter-flexible',
  'rate-limiter-flexible-pipelined',
  'echo',
] as const;
export type Contender = (typeof CONTENDERS)[number];

/** The gateway processes that share a port, where they are several. */
export const GATEWAY_PROCESSES: Readonly<Partial<Record<Contender, number>>> = {
  'ours-in-2-processes': 2,
  'ours-in-4-processes': 4,
};

/** The contenders that also work on a machine without Redis. */
export const WITHOUT_REDIS: readonly Contender[] = ['ours', 'echo'];

export const CONNECTIONS = 64;
export const IDENTIFIERS = 1_000;
export const NAMESPACE = 'requests';
export const LIMIT = 1_000_000;
export const WINDOW_MS = 60_000;

const bytes = new Uint8Array(32).fill(7);
/** A test key: of its kind both the minute and the month are counted. */
export const KEY = limiterKeyFrom('test', bytes);
export const ACCOUNT = idFrom('organization', bytes);
export const KEY_ID = idFrom('key', bytes);

/** The key's own quotas, out of reach. */
export const QUOTA: Check['quota'] = { minute: 1_000_000_000, month: 1_000_000_000 };

/** The limits of a request to the contender `ours-several`, if no other number is given. */
export const ENTRIES = 3;

/** The checks of a request to the contender `ours-each`, if no other number is given. */
export const EACH = 100;
/** Its connections. More would have more checks under way than the share of one organization. */
export const EACH_CONNECTIONS = 16;

/** Checks that are decided one by one have an identifier each, and are those of {@link EACH} single requests. */
export function eachOf(index: number, checks: number): { readonly path: string; readonly body: string } {
  const each = Array.from({ length: checks }, (_, entry) => ({
    namespace: NAMESPACE,
    identifier: `customer-${(index * checks + entry) % IDENTIFIERS}`,
    limit: LIMIT,
    window: WINDOW_MS,
  }));
  return { path: '/v1/checks/each', body: JSON.stringify({ checks: each }) };
}

/** The path and the text of the body of a request. Several limits have a window each. */
export function requestOf(index: number, entries: number): { readonly path: string; readonly body: string } {
  const identifier = `customer-${index % IDENTIFIERS}`;
  const checks = Array.from({ length: entries }, (_, entry) => ({
    namespace: NAMESPACE,
    identifier,
    limit: LIMIT,
    window: WINDOW_MS + entry,
  }));
  return entries === 1
    ? { path: '/v1/check', body: JSON.stringify(checks[0]) }
    : { path: '/v1/checks', body: JSON.stringify({ checks }) };
}
