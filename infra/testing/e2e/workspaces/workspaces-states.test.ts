import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleWorkspaceSchema, workspaceListSchema } from '../../../../schemas/workspaces/http.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Received, refusal } from '../customer.fixture.ts';
import { ImportsCustomer, SOON } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { joinAs } from './workspaces-people.fixture.ts';

/** Kafka gives the partitions of a member that was killed to another one once its session is over, after ten seconds. */
const AFTER_KILL = { timeout: 90_000, interval: 50 } as const;

const FIELDS = [{ key: 'code', type: 'text', required: true }];
let service: ImportsCustomer<ServiceProcess>;
let customer: ImportsCustomer<ServiceProcess>;
let capability: string;
let importId: string;
/** Texts that only this test's file contains: a header and a cell. */
let header: string;
let cell: string;
let file: Buffer;
let files = 0;

beforeAll(async () => {
  const limits = { ...ROOMY_LIMITS, workspace: { ...ROOMY_LIMITS.workspace, claimedPerOrganization: 100 } };
  service = await ImportsCustomer.of(await ServiceProcess.start({ limits }), FIELDS);
});

afterAll(async () => {
  await service.service.dispose();
});

/** A claimed workspace with an approved import whose only batch waits for its customer. */
beforeEach(async () => {
  customer = await service.another(FIELDS);
  files += 1;
  header = `header-${files}-of-nobody-else`;
  cell = `cell-${files}-of-nobody-else`;
  file = Buffer.from(`${header}\n${cell}\n`);
  importId = await customer.approved(file, [{ source: header, target: 'code' }]);
  capability = await customer.newCapability();
  expect((await change('claim')).status).toBe(200);
});

const change = (what: 'claim' | 'pause' | 'resume') => customer.owner('POST', `/${what}`, {});
const confirmed = (what: 'disconnect' | 'erase', confirm = 'Orders') =>
  customer.owner('POST', `/${what}`, { confirm });
const pull = () => customer.batch(capability, importId, 0);

function stateOf({ status, body }: Received): string {
  expect(status).toBe(200);
  return consoleWorkspaceSchema.parse(body).state;
}

describe('a pause', () => {
  it('stops data and nothing of the owner, until it is resumed', async () => {
    const { body: batch } = await pull();
    expect(stateOf(await change('pause'))).toBe('paused');
    const paused = [403, 'workspace_paused'];
    expect(refusal(await pull())).toEqual(paused);
    expect(refusal(await customer.validate(importId))).toEqual(paused);
    const reservation = customer.reservation(file);
    const reserve = () => customer.agent('POST', `/schemas/${customer.schemaId}/imports`, reservation);
    expect(refusal(await reserve())).toEqual(paused);

    expect((await customer.product()).body.state).toBe('paused');
    expect((await customer.agent('GET', '/schemas')).status).toBe(200);
    expect((await customer.agent('POST', '/schemas', customer.configuration(1, FIELDS))).status).toBe(201);
    expect((await customer.owner('GET', `/imports/${importId}/rows`)).status).toBe(200);
    expect((await customer.createCapability()).status).toBe(201);
    const rowIds = batch.manifest.rowIds;
    expect((await customer.acknowledge(capability, importId, batch.batchId, rowIds)).status).toBe(200);

    expect(stateOf(await change('resume'))).toBe('active');
    expect((await pull()).status).toBe(200);
    expect((await reserve()).status).toBe(201);
  });

  it('may be repeated, and so may its end', async () => {
    expect([stateOf(await change('pause')), stateOf(await change('pause'))]).toEqual(['paused', 'paused']);
    expect([stateOf(await change('resume')), stateOf(await change('resume'))]).toEqual(['active', 'active']);
  });

  it('is none of a preview', async () => {
    const preview = await service.another(FIELDS);
    for (const what of ['/pause', '/resume']) {
      expect(refusal(await preview.owner('POST', what, {}))).toEqual([409, 'state_conflict']);
    }
  });
});

describe('disconnecting', () => {
  it('takes the name of the workspace', async () => {
    for (const what of ['disconnect', 'erase'] as const) {
      expect(refusal(await confirmed(what, 'orders'))).toEqual([400, 'bad_request']);
    }
    expect(stateOf(await customer.owner('GET', ''))).toBe('active');
  });

  it('ends agents and backends for good; the owner still reads', async () => {
    expect(stateOf(await confirmed('disconnect'))).toBe('disconnected');
    const disconnected = [403, 'workspace_disconnected'];
    for (const answer of [await pull(), await customer.product(), await customer.agent('GET', '/schemas')]) {
      expect(refusal(answer)).toEqual(disconnected);
    }
    for (const what of ['claim', 'pause', 'resume'] as const) {
      expect(refusal(await change(what))).toEqual(disconnected);
    }
    expect(stateOf(await customer.owner('GET', ''))).toBe('disconnected');
    expect((await customer.owner('GET', `/imports/${importId}/rows`)).status).toBe(200);
    expect(stateOf(await confirmed('disconnect'))).toBe('disconnected');
  });
});

describe('erasing', () => {
  it('is for owners, not for admins and members', async () => {
    for (const role of ['admin', 'member'] as const) {
      const colleague = await joinAs(customer, role);
      const answer = await colleague.send('POST', '/erase', { confirm: 'Orders' });
      expect(refusal(answer)).toEqual([403, 'forbidden']);
    }
    expect(stateOf(await customer.owner('GET', ''))).toBe('active');
  });

  it('is answered 410 afterwards for the owner, 401 for credentials, and listed no more', async () => {
    const erased = consoleWorkspaceSchema.parse((await confirmed('erase')).body);
    expect(erased).toMatchObject({ state: 'disconnected', inventory: { imports: 0 }, credentials: [] });
    const { workspaceId } = customer;
    for (const answer of [
      await customer.owner('GET', ''),
      await customer.owner('GET', '/imports'),
      await confirmed('erase'),
      await confirmed('disconnect'),
      await change('claim'),
    ]) {
      expect(refusal(answer)).toEqual([410, 'erased']);
    }
    for (const answer of [await customer.product(), await pull()]) {
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
    }
    const { body } = await customer.send('GET', '/v1/console/workspaces', { cookie: customer.cookie });
    const ids = workspaceListSchema.parse(body).workspaces.map((workspace) => workspace.workspaceId);
    expect(ids).not.toContain(workspaceId);
    expect(refusal(await customer.createAgain())).toEqual([409, 'state_conflict']);
  });

  it('leaves two marks in the store: no row, no blob, no pointer', async () => {
    expect(await customer.blobNames(importId)).not.toEqual([]);
    expect(await customer.placesHolding(cell)).not.toEqual([]);
    await confirmed('erase');
    await expect.poll(rowsLeft, SOON).toEqual([]);
    await expect.poll(() => customer.blobNames(importId), SOON).toEqual([]);
    await expect.poll(() => customer.placesHolding(cell), SOON).toEqual([]);
    expect(await customer.placesHolding(header)).toEqual([]);
    expect((await customer.placesHolding(customer.installationId)).includes('lookups')).toBe(false);
  });

  it('holds after a restart in its middle', async () => {
    await confirmed('erase');
    await customer.service.kill();
    await customer.service.restart();
    await expect.poll(rowsLeft, AFTER_KILL).toEqual([]);
    await expect.poll(() => customer.placesHolding(cell), SOON).toEqual([]);
    expect(refusal(await customer.owner('GET', ''))).toEqual([410, 'erased']);
  });
});

/** The kinds of rows that the workspace's aggregates still have. */
async function rowsLeft(): Promise<string[]> {
  return (await customer.stored()).rowKinds(customer.installationId);
}
