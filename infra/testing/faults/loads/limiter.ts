import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from '../customer.ts';
import { granted, type Load, type Owner } from './load.ts';

/** Calls of one window and of one story, of which more are made than the window allows. */
const LIMIT = 30;
const CALLS = 50;
/** On either engine, a window of this length survives the end of a process. */
const WINDOW_MS = 24 * 3_600_000;

/** Usage is published every few seconds, and by another gateway if the one that counted is gone. */
const USAGE_POLLS_MAX = 120;
const USAGE_POLL_MS = 500;

/** Keys that are created until one arrives: each fault can lose one. */
const KEYS_MAX = 20;

/** A key of the limiter, with its secret. */
export interface Key {
  readonly keyId: string;
  readonly key: string;
}

interface Decided {
  readonly data: { readonly allowed: boolean; readonly remaining: number; readonly reset_at: number };
}

interface Usage {
  readonly month: { readonly used: number };
}

/** Calls, and attempts that may have been counted besides them. */
interface Called {
  readonly decided: readonly Decided[];
  readonly open: number;
}

/** Backends: calls at the same time about one identifier, and what the limiter and the usage say of them. */
export const limiterLoad: Load = {
  name: 'limiter',
  counted: [],
  async tell(customer, owner) {
    const key = await createKey(customer, owner);
    const called = await callAtOnce(customer, key);
    checkWindow(customer, key, called);
    await checkUsage(customer, owner, key, called);
    await revoke(customer, owner, key);
  },
};

/** Creates keys until an answer with the secret arrives: only the first answer to a creation has it. */
export async function createKey(customer: Customer, { cookie }: Owner): Promise<Key> {
  for (let made = 1; made <= KEYS_MAX; made += 1) {
    const json = { idempotencyKey: randomUUID(), product: 'limiter', mode: 'test', name: 'Faults' };
    const answer = await granted<Omit<Key, 'key'> & { key: string | null }>(customer, {
      name: 'create API key',
      request: { method: 'POST', path: '/v1/keys', cookie, json },
      status: 201,
      promises: () => [],
    });
    const { key, keyId } = answer;
    if (key !== null) return { key, keyId };
    await revoke(customer, { cookie }, { keyId });
  }
  throw new Error(`creating an API key: the answers to ${KEYS_MAX} creations were lost`);
}

async function callAtOnce(customer: Customer, { key, keyId }: Key): Promise<Called> {
  const json = { namespace: 'faults', identifier: keyId, limit: LIMIT, window: WINDOW_MS };
  const told = await Promise.all(
    Array.from({ length: CALLS }, () =>
      customer.intent<Decided>({
        name: 'check',
        isOpenAfter500: true,
        request: { method: 'POST', path: '/v1/check', bearer: key, key: randomUUID(), json },
        status: 200,
        promises: () => [],
      }),
    ),
  );
  return {
    decided: told.flatMap((each) => (each.kind === 'acknowledged' ? [each.body] : [])),
    open: told.reduce((sum, each) => sum + customer.uncertain(each), 0),
  };
}

/** The limiter allows what the window holds: never more, and less only by attempts whose outcome stayed open. */
function checkWindow(customer: Customer, { keyId }: Key, { decided, open }: Called): void {
  for (const own of Map.groupBy(decided, ({ data }) => data.reset_at).values()) {
    const allowed = own.filter(({ data }) => data.allowed).map(({ data }) => data.remaining);
    if (allowed.length > LIMIT)
      customer.observe('lost', `${keyId} was allowed ${allowed.length} of ${LIMIT}`);
    const different = new Set(allowed).size;
    if (different < allowed.length)
      customer.observe('lost', `${keyId}: ${allowed.length} calls left ${different} different remainders`);
  }
  const allowed = decided.filter(({ data }) => data.allowed).length;
  if (decided.length === CALLS && allowed + open < LIMIT)
    customer.observe('doubled', `${keyId} was allowed ${allowed} of ${LIMIT}, with ${open} open attempts`);
}

/** The usage has each call once, and each attempt whose outcome stayed open at most once. */
async function checkUsage(
  customer: Customer,
  { cookie }: Owner,
  { keyId }: Key,
  { decided: { length: calls }, open }: Called,
): Promise<void> {
  const path = `/v1/keys/${keyId}/usage`;
  let used = 0;
  for (let look = 1; look <= USAGE_POLLS_MAX && used < calls; look += 1) {
    used = (await customer.read<Usage>({ method: 'GET', path, cookie })).month.used;
    if (used < calls) await pause(USAGE_POLL_MS);
  }
  if (used < calls) customer.observe('lost', `${keyId}: ${used} of ${calls} calls in the usage`);
  if (used > calls + open)
    customer.observe(
      'doubled',
      `${keyId}: ${used} in the usage of ${calls} calls, with ${open} open attempts`,
    );
}

/** Ends a key. */
export async function revoke(
  customer: Customer,
  { cookie }: Owner,
  { keyId }: Pick<Key, 'keyId'>,
): Promise<void> {
  await granted(customer, {
    name: 'revoke API key',
    request: { method: 'DELETE', path: `/v1/keys/${keyId}`, cookie },
    status: 200,
    promises: () => [],
  });
}
