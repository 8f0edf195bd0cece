import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../infra/engines/embedded/embedded-engine.fixture.ts';
import type { Envelope } from '../schemas/base/command.ts';
import { digestOf, sha256Hex } from '../schemas/base/digest.ts';
import { idFrom, requestIdFrom } from '../schemas/base/ids.ts';
import type { JsonObject } from '../schemas/base/json.ts';
import { MINUTE_MS } from '../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../schemas/limits.ts';
import { SUBSCRIPTION_ROW } from '../schemas/organizations/subscription.ts';
import type { Consumer } from '../topics/ports/log.ts';
import * as activate from './activate/activate-world.fixture.ts';
import { createActivateFold } from './activate/fold.ts';
import { createImportsFold } from './imports/fold.ts';
import * as imports from './imports/imports-world.fixture.ts';
import { createOrganizationsFold } from './organizations/fold.ts';
import { outcomeSweeps } from './outcome-sweeps.ts';
import { foldSubscription } from './runtime/command-handler.ts';
import { OUTCOME_KEPT_MS } from './runtime/sweeps/outcome-sweep.ts';

const WAIT = { timeout: 45_000, interval: 10 };
const ORGANIZATION = idFrom('organization', randomBytes(16));
const AGGREGATES = {
  organizations: ORGANIZATION,
  imports: imports.installationId,
  activate: activate.installationId,
} as const;
type Product = keyof typeof AGGREGATES;

let engine: EmbeddedEngineFixture;
let consumers: Consumer[];

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
  await start();
});

afterEach(async () => {
  await stop();
  await engine.close();
});

async function start(): Promise<void> {
  const { log, store, blobs, digestIndex, limiter, replies, clock } = engine;
  const entropy = { bytes: (count: number) => randomBytes(count) };
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const engines = { log, store, blobs, digestIndex, limiter, replies, clock, entropy, logger };
  const folds = [
    createOrganizationsFold(DEFAULT_LIMITS),
    createImportsFold(DEFAULT_LIMITS),
    createActivateFold(DEFAULT_LIMITS),
  ];
  const subscriptions = [
    ...folds.map((fold) => foldSubscription(fold, engines)),
    ...outcomeSweeps(engines, DEFAULT_LIMITS),
  ];
  consumers = await Promise.all(subscriptions.map((subscription) => engine.log.consume(subscription)));
}

async function stop(): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
}

async function passTime(ms: number): Promise<void> {
  await stop();
  engine.clock.advance(ms);
  await start();
}

/** A command, folded when this resolves. Its key is its client's; null: its request's. */
async function send(product: Product, type: string, input: JsonObject, key: string | null = null) {
  const requestId = requestIdFrom(randomBytes(18));
  const envelope: Envelope = {
    envelope: 1,
    type,
    operation: type,
    key: key ?? requestId,
    keyFrom: key === null ? 'request' : 'client',
    inputDigest: digestOf(input),
    requestId,
    replyTo: null,
    notAfter: null,
    issuedAt: engine.clock.now(),
    actor: type === 'billing-event' ? { kind: 'system', id: 'billing' } : { kind: 'agent', id: 'crd_agent' },
    input,
  };
  await engine.log.append([{ topic: product, key: AGGREGATES[product], value: JSON.stringify(envelope) }]);
  const lags = async () => {
    const statuses = await Promise.all(consumers.slice(0, 3).map((consumer) => consumer.status()));
    return statuses.flat().reduce((sum, { lag }) => sum + lag, 0);
  };
  await expect.poll(lags, WAIT).toBe(0);
}

async function remembered(product: Product): Promise<string[]> {
  const rows = await engine.store.list({ table: product, id: AGGREGATES[product] }, 'outcome', {
    limit: 100,
  });
  return rows.map(({ id }) => id).sort();
}

const living = (preview: JsonObject): JsonObject => ({ ...preview, ...activate.CLAIMED });

it('forgets sessions of checklists and revisions that made none, and keeps what made one', async () => {
  await send('activate', 'lifecycle', living(activate.PREVIEW));
  const checklistId = activate.checklistIdOf('one');
  await send(
    'activate',
    'create-checklist',
    { checklistId, configuration: activate.configuration() },
    'made',
  );
  const revise = (expectedRevision: number, steps: string[], key: string) => {
    const configuration = activate.configuration(steps);
    return send('activate', 'revise-checklist', { checklistId, expectedRevision, configuration }, key);
  };
  await revise(1, ['connect'], 'made');
  await revise(2, ['connect'], 'same');
  const of = { checklistId, cohort: 'live', enrollment: activate.enrollmentOf('ada', 'live') };
  await send(
    'activate',
    'issue-session',
    { ...of, origin: activate.ORIGIN, digest: sha256Hex('token') },
    'page',
  );
  const lasting = ['create-checklist:made', 'revise-checklist:made'];
  expect(await remembered('activate')).toEqual(
    [...lasting, 'issue-session:page', 'revise-checklist:same'].sort(),
  );
  await passTime(OUTCOME_KEPT_MS + MINUTE_MS);
  await expect.poll(() => remembered('activate'), WAIT).toEqual(lasting);
});

it('forgets browser sessions, and repeats that changed nothing of a schema or an import', async () => {
  const { schemaId } = imports;
  await send('imports', 'lifecycle', living({ ...activate.PREVIEW, products: ['svcimport'] }));
  await send('imports', 'create-schema', { schemaId, configuration: imports.configuration(1) }, 'made');
  await send('imports', 'revise-schema', { schemaId, configuration: imports.configuration(1) }, 'same');
  const capability = imports.capabilityNamed('backend');
  await send('imports', 'create-capability', capability, 'made');
  const minted = { schemaId, capabilityId: String(capability['capabilityId']), digest: sha256Hex('browser') };
  await send('imports', 'mint-session', minted, 'page');
  await send('imports', 'reserve-import', new imports.ImportsWorld().reservation('orders'), 'made');
  const cancelled = { importId: imports.importIdOf('orders') };
  await send('imports', 'cancel-import', cancelled, 'first');
  await send('imports', 'cancel-import', cancelled, 'second');
  const lasting = [
    'cancel-import:first',
    'create-capability:made',
    'create-schema:made',
    'reserve-import:made',
  ];
  const transient = ['cancel-import:second', 'mint-session:page', 'revise-schema:same'];
  expect(await remembered('imports')).toEqual([...lasting, ...transient].sort());
  await passTime(OUTCOME_KEPT_MS + MINUTE_MS);
  await expect.poll(() => remembered('imports'), WAIT).toEqual(lasting);
});

it('forgets the ids of billing events, which count in their order anyway', async () => {
  await send('organizations', 'set-up', {
    name: 'Example',
    operator: false,
    personKey: sha256Hex('person'),
    userId: idFrom('user', randomBytes(16)),
    identityBlob: 'identity/1',
    sessionDigest: sha256Hex('session'),
  });
  const event = (eventId: string, status: string, at: number) =>
    send('organizations', 'billing-event', { eventId, status, at }, eventId);
  const first = engine.clock.now();
  await event('one', 'active', first);
  engine.clock.advance(MINUTE_MS);
  await event('two', 'declined', engine.clock.now());
  await passTime(DEFAULT_LIMITS.console.invitationMs + MINUTE_MS);
  await expect.poll(() => remembered('organizations'), WAIT).toEqual([]);
  await event('one', 'active', first);
  const { rows } = await engine.store.read({ table: 'organizations', id: ORGANIZATION }, [SUBSCRIPTION_ROW]);
  expect(rows[0]?.document).toMatchObject({ status: 'declined' });
});
