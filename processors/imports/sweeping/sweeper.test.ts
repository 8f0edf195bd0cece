import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../../infra/engines/embedded/embedded-engine.fixture.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { importDocumentSchema, schemaDocumentSchema } from '../../../schemas/imports/documents.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import type { Lifecycle } from '../../../schemas/workspaces/lifecycle.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Consumer, LogRecord, PartitionHandler } from '../../../topics/ports/log.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { foldSubscription } from '../../runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import { followUp } from '../../runtime/effects/follow-up.ts';
import { createImportsFold } from '../fold.ts';
import {
  capabilityNamed,
  configuration,
  ImportsWorld,
  importIdOf,
  installationId,
  schemaId,
} from '../imports-world.fixture.ts';
import { sweepSubscriptions } from './sweeps.ts';

const WAIT = { timeout: 45_000, interval: 10 };
const GRACE_MS = MINUTE_MS;
const NAME = 'orders';
const AGGREGATE = { table: 'imports', id: installationId } as const;
const REQUEST_ID = `req_${'0'.repeat(24)}`;

let engine: EmbeddedEngineFixture;
let consumers: Consumer[];
let sent: number;

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
  sent = 0;
  consumers = [];
  await start();
  await send('lifecycle', lifecycle({}));
  await send('create-schema', { schemaId, configuration: configuration(1) });
});

afterEach(async () => {
  await stop();
  await engine.close();
});

function dependencies(store: Store = engine.store): ProcessorDependencies {
  const { log, blobs, digestIndex, limiter, replies, clock } = engine;
  const entropy = { bytes: (count: number) => randomBytes(count) };
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  return { log, store, blobs, digestIndex, limiter, replies, clock, entropy, logger };
}

async function start(): Promise<void> {
  const engines = dependencies();
  for (const subscription of [
    foldSubscription(createImportsFold(DEFAULT_LIMITS), engines),
    ...sweepSubscriptions(engines, DEFAULT_LIMITS),
  ]) {
    consumers.push(await engine.log.consume(subscription));
  }
}

async function stop(): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  consumers = [];
}

/** Lets time pass while the process is down, so that what became due is found at its start. */
async function wakeUpAfter(ms: number): Promise<void> {
  await stop();
  engine.clock.advance(ms);
  await start();
}

/** A command of this installation in its topic, folded when this resolves. */
async function send(type: string, input: JsonObject): Promise<void> {
  await engine.log.append([{ topic: 'imports', key: installationId, value: recordValue(type, input) }]);
  await settle();
}

/** Waits until the fold and the sweeps have read all records of the topic. */
async function settle(reader: 'fold' | 'previews' = 'fold'): Promise<void> {
  const consumer = consumers[reader === 'fold' ? 0 : 1];
  const lags = async () => (await consumer?.status())?.map(({ lag }) => lag) ?? [];
  await expect.poll(async () => (await lags()).every((lag) => lag === 0), WAIT).toBe(true);
}

function recordValue(type: string, input: JsonObject): string {
  sent += 1;
  const effect = { kind: 'command', topic: 'imports', key: installationId, type, input } as const;
  const parent = { requestId: REQUEST_ID, replyTo: null, actor: { kind: 'agent', id: 'crd' } } as const;
  return JSON.stringify(followUp(effect, parent, { key: `command ${sent}`, at: engine.clock.now() }));
}

function lifecycle(changes: Partial<Lifecycle>): Lifecycle {
  return {
    version: sent + 1,
    state: 'preview',
    plan: 'preview',
    expiresAt: engine.clock.now() + 72 * HOUR_MS,
    products: ['svcimport'],
    ...changes,
  };
}

const claim = () => send('lifecycle', lifecycle({ state: 'active', plan: 'free', expiresAt: null }));

const reserve = (name = NAME) => send('reserve-import', new ImportsWorld().reservation(name));

async function row(kind: string, id: string): Promise<JsonObject | null> {
  const { rows } = await engine.store.read(AGGREGATE, [{ kind, id }]);
  return rows[0]?.document ?? null;
}

async function isTidied(name = NAME): Promise<boolean> {
  return importDocumentSchema.parse(await row('import', importIdOf(name))).tidiedAt !== null;
}

const version = async () => (await engine.store.read(AGGREGATE, [])).root?.applied.offset;

describe('the sweeper', () => {
  it('tidies up an import once its seven days are over, and not before', async () => {
    await claim();
    await reserve();
    await wakeUpAfter(7 * DAY_MS);
    await settle();
    expect(await isTidied()).toBe(false);
    await wakeUpAfter(GRACE_MS);
    await expect.poll(() => isTidied(), WAIT).toBe(true);
  });

  it('tidies up a whole preview at its end', async () => {
    for (const name of ['one', 'two', 'three']) await reserve(name);
    await wakeUpAfter(72 * HOUR_MS + GRACE_MS);
    for (const name of ['one', 'two', 'three']) await expect.poll(() => isTidied(name), WAIT).toBe(true);
  });

  it('leaves alone what a claim has saved from the end of the preview', async () => {
    await reserve();
    await claim();
    const before = await version();
    await wakeUpAfter(72 * HOUR_MS + GRACE_MS);
    await settle('previews');
    expect(await isTidied()).toBe(false);
    expect(await version()).toBe(before);
  });

  it('counts the seven days from the upload', async () => {
    await claim();
    await reserve();
    engine.clock.advance(10 * MINUTE_MS);
    await send('import-uploaded', { importId: importIdOf(NAME), source: 'source/one', fault: null });
    await wakeUpAfter(7 * DAY_MS - 10 * MINUTE_MS + GRACE_MS);
    await settle();
    expect(await isTidied()).toBe(false);
    await wakeUpAfter(10 * MINUTE_MS);
    await expect.poll(() => isTidied(), WAIT).toBe(true);
  });

  it('strikes ended capabilities off their schema', async () => {
    await claim();
    await send('create-capability', { ...capabilityNamed('short'), expiresInDays: 1 });
    const active = async () => schemaDocumentSchema.parse(await row('schema', schemaId)).capabilities;
    expect(await active()).toHaveLength(1);
    await wakeUpAfter(7 * DAY_MS + GRACE_MS);
    await expect.poll(active, WAIT).toEqual([]);
  });

  it('keeps its place: what it has done it does not do again', async () => {
    await claim();
    await reserve();
    await wakeUpAfter(7 * DAY_MS + GRACE_MS);
    await expect.poll(() => isTidied(), WAIT).toBe(true);
    await settle();
    const before = await version();
    await wakeUpAfter(7 * DAY_MS + GRACE_MS);
    await wakeUpAfter(GRACE_MS);
    await settle();
    expect(await version()).toBe(before);
  });
});

describe('a place in the topic', () => {
  const assignment = {
    topic: 'imports',
    generation: 1,
    partition: 0,
    isCurrent: () => true,
    mayBegin: () => true,
    hasAppended: async () => true,
  } as const;

  function open(sweep: 'previews' | 'retention', store?: Store): PartitionHandler {
    const subscription = sweepSubscriptions(dependencies(store), DEFAULT_LIMITS).find(
      ({ group }) => group === `sweep-imports-${sweep}`,
    );
    if (subscription === undefined) throw new Error(`opening the sweep ${sweep}`);
    return subscription.open(assignment);
  }

  function record(offset: number, ageMs: number, value: string): LogRecord {
    const appendedAt = engine.clock.now() - ageMs;
    return { topic: 'imports', key: installationId, value, generation: 1, partition: 0, offset, appendedAt };
  }

  const reservation = () => recordValue('reserve-import', new ImportsWorld().reservation(NAME));
  const OLD = 7 * DAY_MS + GRACE_MS;

  it('moves up to the first record that is not due, and waits for that one', async () => {
    const records = [record(5, OLD, reservation()), record(6, OLD - 30_000, reservation())];
    expect(await open('retention').handle(records)).toEqual({ nextOffset: 6, pauseMs: 30_000 });
    const young = [record(7, 0, reservation())];
    expect(await open('retention').handle(young)).toEqual({ nextOffset: 7, pauseMs: 10 * MINUTE_MS });
  });

  it('passes records that cannot be read', async () => {
    const records = [record(5, OLD, 'no JSON'), record(6, OLD, '{}')];
    expect(await open('retention').handle(records)).toEqual({ nextOffset: 7, pauseMs: 0 });
  });

  it('waits while the store is down', async () => {
    const down: Store = Object.assign(Object.create(engine.store), {
      read: () => Promise.reject(new EngineUnavailableError('store')),
    });
    const records = [record(5, 72 * HOUR_MS + GRACE_MS, recordValue('lifecycle', lifecycle({})))];
    const handler = open('previews', down);
    expect(await handler.handle(records)).toEqual({ nextOffset: 5, pauseMs: 50 });
    expect(await handler.handle(records)).toEqual({ nextOffset: 5, pauseMs: 100 });
  });

  it('never lags so far behind that its records leave the topic', async () => {
    const limits = { ...DEFAULT_LIMITS, imports: { ...DEFAULT_LIMITS.imports, retentionMs: 60 * DAY_MS } };
    const [, retention] = sweepSubscriptions(dependencies(), limits);
    const progress = await retention?.open(assignment).handle([record(5, 13 * DAY_MS, reservation())]);
    expect(progress).toEqual({ nextOffset: 6, pauseMs: 0 });
  });
});
