import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallTold, LimitedAnswer, LimitedEntry } from '../calls.ts';
import type { Customer } from '../customer.ts';
import { pick } from '../plan.ts';
import { createKey, type Key, revoke } from './limiter.ts';
import type { Load } from './load.ts';

const CONNECTIONS = 64;
const CALLS_EACH = 6;
/** The same for all, so that all connections send at once again and again. */
const BETWEEN_MS = 2_000;
const BETWEEN_LOOKS_MS_MAX = 1_500;
/** One call in three has an `Idempotency-Key`, and is sent again if its outcome is open, while the key is remembered. */
const KEYED_ONE_OF = 3;
const SENDINGS_OF_KEYED = 3;
/** Looks until one is answered: for longer than a server is away. */
const LOOKS_MAX = 100;
const RESETS = 4;
const BETWEEN_RESETS_MS = 1_500;
/** On either engine, windows of this length survive the end of a process. */
const WINDOW_MS = 24 * 3_600_000;

const entry = (window: string, limit: number, cost = 1): LimitedEntry => ({ window, limit, cost });
const ADA = entry('ada', 60);
const BOB = entry('bob', 90);
const ADDRESS = entry('address', 150);
const ROWS = entry('rows', 500, 7);

/** The calls of a story. Each window is used by several kinds, so that their answers have to agree. */
const ASKED: readonly (readonly LimitedEntry[])[] = [
  [ADA, ADDRESS],
  [ADDRESS, BOB],
  [ROWS, ADA, ADDRESS],
  [{ ...ROWS, cost: 2 }, { ...ADDRESS, cost: 0 }, BOB],
  [ADA],
  [BOB],
  [{ ...ADDRESS, cost: 0 }],
  [
    { ...ADA, cost: 0 },
    { ...ROWS, cost: 0 },
  ],
];

/** Backends: 64 connections with calls of one limit and of several about the same windows, and a support that resets them. */
export const severalLimitsLoad: Load = {
  name: 'several limits',
  counted: [],
  async tell(customer, owner) {
    const key = await createKey(customer, owner);
    await Promise.all([callOverConnections(customer, key), support(customer, key)]);
    await lookUntilAnswered(customer, key);
    await revoke(customer, owner, key);
  },
};

/** Sends the calls of a story. The history has them. */
export async function callOverConnections(customer: Customer, key: Key): Promise<void> {
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    for (let call = 0; call < CALLS_EACH && !customer.isOver; call += 1) {
      const { kind } = await ask(customer, key, pick(ASKED, customer.random()));
      if (kind === 'unknown') await lookUntilAnswered(customer, key);
      await pause(BETWEEN_MS);
    }
  });
  await Promise.all(connections);
}

/** A look has no effect that could stay open, so a connection without an answer leaves one open call behind, however long it lasts. */
async function lookUntilAnswered(customer: Customer, key: Key): Promise<void> {
  const all = [ADA, BOB, ADDRESS, ROWS].map((each) => ({ ...each, cost: 0 }));
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    if ((await ask(customer, key, all)).kind !== 'unknown') return;
    await pause(BETWEEN_LOOKS_MS_MAX * customer.random());
  }
}

async function ask(customer: Customer, key: Key, entries: readonly LimitedEntry[]): Promise<CallTold> {
  const isKeyed = entries.some(({ cost }) => cost > 0) && customer.random() * KEYED_ONE_OF < 1;
  const checks = entries.map(({ window, limit, cost }) => ({ ...named(key, window), limit, cost }));
  const [only] = checks;
  const isOne = checks.length === 1;
  return await customer.call(
    { story: key.keyId, kind: 'check', entries, isKeyed },
    {
      method: 'POST',
      path: isOne ? '/v1/check' : '/v1/checks',
      bearer: key.key,
      json: isOne ? only : { checks },
      ...(isKeyed ? { key: randomUUID() } : {}),
    },
    { sendings: isKeyed ? SENDINGS_OF_KEYED : 1, read: decisionOf },
  );
}

/** Resets a window now and then, one after the other. */
async function support(customer: Customer, key: Key): Promise<void> {
  for (let reset = 0; reset < RESETS && !customer.isOver; reset += 1) {
    await pause(BETWEEN_RESETS_MS);
    const { window, limit } = pick([ADA, ADDRESS], customer.random());
    await customer.call(
      { story: key.keyId, kind: 'reset', entries: [entry(window, limit)], isKeyed: false },
      { method: 'POST', path: '/v1/checks/reset', bearer: key.key, json: named(key, window) },
      { sendings: 1, read: ({ ended }: { readonly ended: boolean }) => ({ kind: 'reset', ended }) },
    );
  }
}

/** All keys of the organization share its windows. */
function named({ keyId }: Key, window: string) {
  return { namespace: 'faults', identifier: `${keyId} ${window}`, window: WINDOW_MS };
}

interface EntryTold {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly reset_at: number;
}

/** Reads the answer about one limit, or about several. */
function decisionOf(data: EntryTold & { readonly checks?: readonly EntryTold[] }): CallTold {
  const { allowed, checks = [data] } = data;
  const entries = checks.map(
    (each): LimitedAnswer => ({ allowed: each.allowed, remaining: each.remaining, resetAt: each.reset_at }),
  );
  return { kind: 'decided', allowed, entries };
}
