import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import { runtimeRootSchema } from '../../schemas/base/aggregate-root.ts';
import type { Envelope } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import { DAY_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import type { Store } from '../../topics/ports/store.ts';
import { accounts, newRequestId } from './accounts.fixture.ts';
import { foldSubscription } from './command-handler.ts';
import { keyFromSender, senderOf } from './delivery.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import { followUpSweep } from './follow-up-sweep.ts';
import { sweepSubscription } from './sweeper.ts';

const WAIT = { timeout: 10_000, interval: 10 };
const KEPT_MS = DAY_MS;
const STEP_MS = KEPT_MS + MINUTE_MS;

let engine: EmbeddedEngineFixture;
let consumers: Consumer[];
/** True if processors end before they remove the effects that they have carried out. */
let endsEarly: boolean;

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
  consumers = [];
  endsEarly = false;
  await start();
});

afterEach(async () => {
  await stop();
  await engine.close();
});

function dependencies(): ProcessorDependencies {
  const { log, store, blobs, lookups, limiter, replies, clock } = engine;
  const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const forgetful: Store = {
    load: (ref, rows) => store.load(ref, rows),
    read: (ref, rows) => store.read(ref, rows),
    list: (ref, kind, options) => store.list(ref, kind, options),
    commit(ref, version, changes) {
      const remove = changes.remove.filter(({ kind }) => !endsEarly || kind !== RUNTIME_KINDS.pending);
      return store.commit(ref, version, { ...changes, remove });
    },
  };
  return { log, store: forgetful, blobs, lookups, limiter, replies, clock, entropy, logger };
}

async function start(): Promise<void> {
  const engines = dependencies();
  const sweep = followUpSweep({ topic: 'workspaces', commands: accounts.commands, keptMs: KEPT_MS }, engines);
  for (const subscription of [foldSubscription(accounts, engines), sweepSubscription(sweep, engines)]) {
    consumers.push(await engine.log.consume(subscription));
  }
}

async function stop(): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  consumers = [];
}

/** Lets time pass while the process is down; afterwards the sweep reads what is due. */
async function passTime(ms: number): Promise<void> {
  await stop();
  engine.clock.advance(ms);
  await start();
  await settle();
}

async function settle(): Promise<void> {
  const lag = async () => {
    const statuses = await consumers[0]?.status();
    return statuses?.reduce((sum, status) => sum + status.lag, 0);
  };
  await expect.poll(lag, WAIT).toBe(0);
}

async function send(account: string, type: string, input: JsonObject, over: Partial<Envelope> = {}) {
  const envelope: Envelope = {
    envelope: 1,
    type,
    operation: type,
    key: 'key',
    keyFrom: 'request',
    inputDigest: digestOf(input),
    requestId: newRequestId(),
    replyTo: null,
    notAfter: null,
    issuedAt: engine.clock.now(),
    actor: { kind: 'agent', id: 'test' },
    input,
    ...over,
  };
  await engine.log.append([{ topic: 'workspaces', key: account, value: JSON.stringify(envelope) }]);
  await settle();
}

async function remembered(account: string): Promise<string[]> {
  const rows = await engine.store.list({ table: 'workspaces', id: account }, 'outcome', { limit: 100 });
  return rows.map(({ id }) => id.split(':')[0] ?? '');
}

async function pendingOf(account: string) {
  return engine.store.list({ table: 'workspaces', id: account }, RUNTIME_KINDS.pending, { limit: 10 });
}

async function rootOf(account: string) {
  const { root } = await engine.store.read({ table: 'workspaces', id: account }, []);
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
  await settle();
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
    await stop();
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
