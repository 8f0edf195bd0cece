import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../infra/engines/embedded/embedded-engine.fixture.ts';
import type { Envelope } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { outcomeRowId } from '../../schemas/base/outcome.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import { accounts, newRequestId } from './accounts.fixture.ts';
import { foldSubscription } from './command-handler.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import { followUp } from './follow-up.ts';
import { forgetOutcome } from './forgetting.ts';
import { OUTCOME_KEPT_MS, outcomeSweep } from './outcome-sweep.ts';
import { sweepSubscription } from './sweeper.ts';

const WAIT = { timeout: 10_000, interval: 10 };
const ACCOUNT = { table: 'workspaces', id: 'a' } as const;

let engine: EmbeddedEngineFixture;
let consumers: Consumer[];

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
  consumers = [];
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
  return { log, store, blobs, lookups, limiter, replies, clock, entropy, logger };
}

const passing = {
  topic: 'workspaces',
  commands: accounts.commands,
  types: ['glance', 'add', 'receive'],
  lifeMs: 0,
  isPassing: (entity: string) => entity === 'counter/link',
} as const;

async function start(): Promise<void> {
  const engines = dependencies();
  for (const subscription of [
    foldSubscription(accounts, engines),
    sweepSubscription(outcomeSweep(passing, engines), engines),
  ]) {
    consumers.push(await engine.log.consume(subscription));
  }
}

async function stop(): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  consumers = [];
}

/** Lets time pass while the process is down; afterwards everybody has read what is due for them. */
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

/** A command of a client, folded when this resolves. */
async function send(type: string, input: JsonObject, over: Partial<Envelope> = {}): Promise<void> {
  const envelope: Envelope = {
    envelope: 1,
    type,
    operation: type,
    key: 'key',
    keyFrom: 'client',
    inputDigest: digestOf(input),
    requestId: newRequestId(),
    replyTo: null,
    notAfter: null,
    issuedAt: engine.clock.now(),
    actor: { kind: 'agent', id: 'test' },
    input,
    ...over,
  };
  await append(envelope);
}

async function append(envelope: Envelope): Promise<void> {
  await engine.log.append([{ topic: 'workspaces', key: ACCOUNT.id, value: JSON.stringify(envelope) }]);
  await settle();
}

async function remembered(): Promise<string[]> {
  const rows = await engine.store.list(ACCOUNT, 'outcome', { limit: 100 });
  return rows.map(({ id }) => id);
}

const OVER_MS = OUTCOME_KEPT_MS + MINUTE_MS;
const GLANCE = outcomeRowId('glance', 'key');

describe('the sweep of outcomes', () => {
  it('forgets what nothing erases once its time is over, and not before', async () => {
    await send('glance', {});
    await passTime(OVER_MS - 1);
    expect(await remembered()).toEqual([GLANCE]);
    await passTime(1);
    await expect.poll(remembered, WAIT).toEqual([]);
  });

  it('leaves what an entity, a follow-up or another type of command is remembered with', async () => {
    await send('add', { name: 'lasting', amount: 1 });
    await send('receive', { amount: 1 }, { keyFrom: 'command' });
    await send('work', { name: 'other' });
    const before = await remembered();
    expect(before).toHaveLength(3);
    // The last record that the sweep meets is one that goes.
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual(before);
  });

  it('takes the list of an entity along that ends by itself', async () => {
    await send('add', { name: 'link', amount: 1 });
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    expect(await engine.store.list(ACCOUNT, 'entity-keys', { limit: 1 })).toEqual([]);
  });

  it('sends nothing for what is not there', async () => {
    await send('add', { name: 'full', amount: 2_000 });
    await send('glance', {}, { keyFrom: 'request' });
    const offset = async () => (await engine.store.read(ACCOUNT, [])).root?.applied.offset;
    const before = await offset();
    await passTime(OVER_MS);
    // It has met both records when it forgets what came behind them.
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    expect(await offset()).toBe(Number(before) + 2);
  });

  it('does not forget a key that was used again meanwhile', async () => {
    const first = engine.clock.now();
    await send('glance', {});
    await passTime(OVER_MS);
    await expect.poll(remembered, WAIT).toEqual([]);
    await send('glance', {});
    const late = forgetOutcome('workspaces', ACCOUNT.id, { operation: 'glance', key: 'key', at: first });
    const parent = {
      requestId: newRequestId(),
      replyTo: null,
      actor: { kind: 'system', id: 'test' },
    } as const;
    await append(followUp(late, parent, { key: 'late', at: engine.clock.now() }));
    expect(await remembered()).toEqual([GLANCE]);
  });
});
