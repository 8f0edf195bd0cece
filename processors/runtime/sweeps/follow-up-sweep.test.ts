import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accounts } from '../../../infra/testing/accounts.fixture.ts';
import { SweptAccounts, WAIT } from '../../../infra/testing/swept-accounts.fixture.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { keyFromSender, senderOf } from '../effects/delivery.ts';
import { followUpSweep } from './follow-up-sweep.ts';
import { sweepSubscription } from './sweeper.ts';

const KEPT_MS = DAY_MS;
const STEP_MS = KEPT_MS + MINUTE_MS;

let swept: SweptAccounts;
/** True if processors end before they remove the effects that they have carried out. */
let endsEarly: boolean;

beforeEach(async () => {
  endsEarly = false;
  swept = await SweptAccounts.open({
    sweep: (engines) => {
      const sent = { topic: 'workspaces', commands: accounts.commands, keptMs: KEPT_MS } as const;
      return sweepSubscription(followUpSweep(sent, engines), engines);
    },
    storeOf: (store) => ({
      load: (ref, rows) => store.load(ref, rows),
      read: (ref, rows) => store.read(ref, rows),
      list: (ref, kind, options) => store.list(ref, kind, options),
      commit(ref, version, changes) {
        const remove = changes.remove.filter(({ kind }) => !endsEarly || kind !== RUNTIME_KINDS.pending);
        return store.commit(ref, version, { ...changes, remove });
      },
    }),
  });
});

afterEach(() => swept.close());

const passTime = (ms: number) => swept.passTime(ms);

function send(account: string, type: string, input: JsonObject, over: Partial<Envelope> = {}) {
  return swept.send(account, type, input, { keyFrom: 'request', ...over });
}

async function remembered(account: string): Promise<string[]> {
  const rows = await swept.engine.store.list({ table: 'workspaces', id: account }, 'outcome', { limit: 100 });
  return rows.map(({ id }) => id.split(':')[0] ?? '');
}

async function pendingOf(account: string) {
  return swept.engine.store.list({ table: 'workspaces', id: account }, RUNTIME_KINDS.pending, { limit: 10 });
}

async function rootOf(account: string) {
  const { root } = await swept.engine.store.read({ table: 'workspaces', id: account }, []);
  return root === null ? null : runtimeRootSchema.parse(root.document);
}

async function sumOf(account: string): Promise<unknown> {
  return (await rootOf(account))?.state?.['sum'];
}

/** Lets the first step of the sweep happen: the receiver has folded the follow-up and its confirmation. */
async function passTimeUntilConfirmed(receiver: string): Promise<void> {
  const folded = (await rootOf(receiver))?.sequence ?? 0;
  await passTime(STEP_MS);
  await expect.poll(async () => (await rootOf(receiver))?.sequence, WAIT).toBeGreaterThan(folded);
  await swept.settle();
}

describe('the sweep of follow-ups', () => {
  it('forgets a follow-up some time after its sender has confirmed it, and not before', async () => {
    await send('a', 'transfer', { to: 'b', amount: 5 });
    await expect.poll(() => remembered('b'), WAIT).toEqual(['receive']);
    await passTimeUntilConfirmed('b');
    await passTime(STEP_MS - 1);
    expect(await remembered('b')).toEqual(['receive']);
    await passTime(1);
    await expect.poll(() => remembered('b'), WAIT).toEqual([]);
    expect(await sumOf('b')).toBe(5);
  });

  it('lets a sender that ended early send its follow-up once more before the receiver forgets', async () => {
    endsEarly = true;
    await send('a', 'transfer', { to: 'b', amount: 5 });
    await expect.poll(() => sumOf('b'), WAIT).toBe(5);
    await swept.stop();
    endsEarly = false;
    expect(await pendingOf('a')).toHaveLength(1);
    await passTimeUntilConfirmed('b');
    await expect.poll(() => pendingOf('a'), WAIT).toEqual([]);
    // The duplicate and the confirmation.
    await expect.poll(async () => (await rootOf('b'))?.sequence, WAIT).toBe(3);
    await passTime(STEP_MS);
    await expect.poll(() => remembered('b'), WAIT).toEqual([]);
    await send('a', 'report', { name: 'x' });
    expect(await sumOf('b')).toBe(5);
  });

  it('keeps what a key without a sender is remembered with', async () => {
    await send('b', 'receive', { amount: 1 }, { keyFrom: 'command' });
    await send('a', 'transfer', { to: 'c', amount: 5 });
    await passTimeUntilConfirmed('c');
    await passTime(STEP_MS);
    await expect.poll(() => remembered('c'), WAIT).toEqual([]);
    expect(await remembered('b')).toEqual(['receive']);
  });
});

describe('the sender of a follow-up', () => {
  it('is in its key', () => {
    const sender = { topic: 'organizations', aggregate: 'org_1/2026-11' };
    expect(senderOf(keyFromSender('organizations', 'org_1/2026-11', 'f00'))).toEqual(sender);
  });

  it.each(['f00', 'nowhere/a/f00', 'organizations/f00', ''])('is not in %j', (key) => {
    expect(senderOf(key)).toBeNull();
  });
});
