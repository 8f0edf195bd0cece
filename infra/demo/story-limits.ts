import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, UnexpectedAnswerError } from './client.ts';
import type { Owner } from './owner.ts';
import { bar } from './screen.ts';
import type { Stage } from './stage.ts';

/** Calls of one user, and how many of them are let through in the window. */
const CALLS = 300;
const LIMIT = 100;
const WINDOW_MS = 60_000;

/** Usage is published every few seconds. */
const METERED_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 500;

interface Check {
  readonly data: { readonly allowed: boolean; readonly remaining: number };
}

/** The customer's backend limits the calls of a user: exactly the limit gets through, and each call is metered once. */
export async function limitCalls({ client, screen }: Stage, owner: Owner): Promise<void> {
  const { keyId, key } = await screen.step('owner', 'creates a live key', async () => {
    const { status } = await owner.subscribe();
    if (status !== 'active') throw new Error(`the subscription is ${status}`);
    const created = await owner.createKey(randomUUID());
    return [`…${created.key.slice(-4)}, on the free plan`, created];
  });
  await screen.step('backend', `checks ${CALLS} calls at once`, async () => {
    const checks = await Promise.all(Array.from({ length: CALLS }, () => check(client, key)));
    const left = checks.flatMap(({ data }) => (data.allowed ? [data.remaining] : []));
    const countdown = left
      .sort((one, other) => other - one)
      .every((rest, index) => rest === LIMIT - 1 - index);
    if (left.length !== LIMIT || !countdown) throw new Error(`${left.length} calls were allowed`);
    return [`exactly ${LIMIT} are allowed, counting down to 0`, undefined];
  });
  await screen.step('owner', 'sees each of them metered', async (report) => {
    const deadline = Date.now() + METERED_MS_MAX;
    for (;;) {
      const used = await owner.usedThisMonth();
      if (used === CALLS) return [`${used} calls this month`, undefined];
      if (used > CALLS || Date.now() > deadline) throw new Error(`${used} calls are metered`);
      report(`${bar(used, CALLS)} ${used} of ${CALLS}`);
      await sleep(POLL_INTERVAL_MS);
    }
  });
  await screen.step('owner', 'replaces the key', async () => {
    const { key: next } = await owner.createKey(randomUUID());
    await owner.revokeKey(keyId);
    const refused = await check(client, key).catch((error: unknown) => error);
    if (!(refused instanceof UnexpectedAnswerError) || refused.status !== 401) {
      throw new Error('the key still works');
    }
    await check(client, next);
    return ['calls with the old one are refused', undefined];
  });
}

function check(client: Client, key: string): Promise<Check> {
  const json = { namespace: 'downloads', identifier: 'user-42', limit: LIMIT, window: WINDOW_MS };
  return client.send('POST', '/v1/check', 200, { bearer: key, json });
}
