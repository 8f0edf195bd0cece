import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../customer.fixture.ts';
import { type ImportsCustomer, mapping, SOON, serveImports } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const MORE_FIELDS = [...FIELDS, { key: 'note', type: 'text', required: false }];
const COLUMNS = [{ source: 'a', target: 'code' }];
const FILE = Buffer.from('a\n1\n2\n');
const LARGE = Buffer.from(`a\n${`${'x'.repeat(1_000)}\n`.repeat(1_000)}`);

let customer: ImportsCustomer;

serveImports(FIELDS, ROOMY_LIMITS, (started) => {
  customer = started;
});

beforeEach(async () => {
  customer.schemaId = await customer.newSchema(FIELDS);
});

const configure = (json: object) => customer.agent('POST', `/schemas/${customer.schemaId}`, json);

const revise = (revision: number, fields: readonly object[]) =>
  configure(customer.configuration(revision, fields));

const status = async (importId: string) => (await customer.agent('GET', `/imports/${importId}`)).body;

describe('a revision of a schema', () => {
  it('is the next one, or the current one again', async () => {
    const second = await revise(2, MORE_FIELDS);
    expect(second).toMatchObject({ status: 200, body: { schemaId: customer.schemaId, revision: 2 } });
    expect((await revise(2, MORE_FIELDS)).body).toEqual(second.body);
    expect(refusal(await revise(2, FIELDS))).toEqual([409, 'revision_conflict']);
    expect(refusal(await revise(1, FIELDS))).toEqual([409, 'revision_conflict']);
    expect(refusal(await revise(4, FIELDS))).toEqual([409, 'revision_conflict']);
    expect((await revise(3, FIELDS)).body.revision).toBe(3);
  });

  it('is needed for another name and other origins too', async () => {
    const { configuration, ...request } = customer.configuration(1, FIELDS);
    for (const change of [{ name: 'Invoices' }, { allowedOrigins: ['https://other.example'] }]) {
      const changed = { ...request, idempotencyKey: customer.newKey() };
      const refused = await configure({ ...changed, configuration: { ...configuration, ...change } });
      expect(refusal(refused)).toEqual([409, 'revision_conflict']);
    }
    expect((await revise(1, FIELDS)).status).toBe(200);
  });

  it('is one for one key', async () => {
    const request = customer.configuration(2, MORE_FIELDS);
    const first = await configure(request);
    await revise(3, FIELDS);
    expect((await configure(request)).body).toEqual(first.body);
    const other = { ...request, configuration: customer.configuration(4, MORE_FIELDS).configuration };
    expect(refusal(await configure(other))).toEqual([409, 'idempotency_conflict']);
    expect((await customer.agent('GET', '/schemas')).body.schemas).toContainEqual(
      expect.objectContaining({ schemaId: customer.schemaId, revision: 3 }),
    );
  });

  it('is taken once when two different ones are the next', async () => {
    const both = await Promise.all([revise(2, MORE_FIELDS), revise(2, MORE_FIELDS.slice(1))]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  it('is the first one for a new schema', async () => {
    const refused = await customer.agent('POST', '/schemas', customer.configuration(2, FIELDS));
    expect(refusal(refused)).toEqual([409, 'revision_conflict']);
  });
});

describe('imports of an earlier revision', () => {
  it('take no file', async () => {
    const reserved = await customer.reserve(FILE);
    await revise(2, MORE_FIELDS);
    expect(refusal(await customer.upload(reserved, [FILE]))).toEqual([409, 'revision_conflict']);
    expect(await customer.blobNames(reserved.importId)).toEqual([]);
    expect(await status(reserved.importId)).toMatchObject({ status: 'reserved', schemaRevision: 1 });
    const path = `/schemas/${customer.schemaId}/imports`;
    expect(refusal(await customer.agent('POST', path, customer.reservation(FILE)))).toEqual([
      409,
      'revision_conflict',
    ]);
    const next = await customer.agent('POST', path, customer.reservation(FILE, { revision: 2 }));
    expect(next.status).toBe(201);
  });

  it.each(['uploaded', 'ready', 'approved'])('can only be read and cancelled: %s', async (reached) => {
    const importId = await customer.uploaded(FILE, COLUMNS);
    if (reached !== 'uploaded') await customer.validated(importId);
    const binding = (await customer.agent('GET', `/imports/${importId}/binding`)).body;
    if (reached === 'approved') await customer.approve(importId);
    const capability = await customer.newCapability();
    await revise(2, MORE_FIELDS);

    expect(await status(importId)).toMatchObject({
      status: 'uploaded',
      schemaRevision: 1,
      rows: { total: 0 },
      batchCount: 0,
      approvedAt: null,
    });
    const { validationDigest } = (await customer.agent('GET', `/imports/${importId}/binding`)).body;
    expect(validationDigest).toBeNull();
    const stale = { validationDigest: binding.validationDigest ?? '0'.repeat(64) };
    const refused = [
      await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS)),
      await customer.validate(importId),
      await customer.owner('POST', `/imports/${importId}/approve`, stale),
      await customer.batch(capability, importId, 0),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [409, 'revision_conflict']));
    expect((await customer.backend(capability, 'GET', '')).body.imports).toEqual([]);
    const one = await customer.backend(capability, 'GET', `/${importId}`);
    expect(one.body).toMatchObject({ status: 'uploaded', validationDigest: null, batchCount: 0 });
    const cancelled = await customer.agent('POST', `/imports/${importId}/cancel`, {});
    expect(cancelled.body.status).toBe('cancelled');
  });

  it('can be acknowledged as far as they were approved, which approves nothing again', async () => {
    const importId = await customer.approved(FILE, COLUMNS);
    const capability = await customer.newCapability();
    const { batchId, manifest } = (await customer.batch(capability, importId, 0)).body;
    await revise(2, MORE_FIELDS);
    const answer = await customer.acknowledge(capability, importId, batchId, manifest.rowIds);
    expect(answer).toMatchObject({ status: 200, body: { status: 'accepted', remainingBatches: 0 } });
    expect((await customer.acknowledge(capability, importId, batchId, manifest.rowIds)).body).toEqual(
      answer.body,
    );
    expect((await status(importId)).status).toBe('uploaded');
    expect(refusal(await customer.batch(capability, importId, 0))).toEqual([409, 'revision_conflict']);
  });

  it('stay delivered once every batch is acknowledged', async () => {
    const importId = await customer.approved(FILE, COLUMNS);
    await customer.acknowledgeAll(await customer.newCapability(), importId);
    await revise(2, MORE_FIELDS);
    expect(await status(importId)).toMatchObject({ status: 'delivered', acknowledgedBatches: 1 });
  });

  it('give the slot back when they were being validated', async () => {
    const importId = await customer.uploaded(LARGE, COLUMNS);
    await customer.validate(importId);
    await revise(2, MORE_FIELDS);
    expect(await status(importId)).toMatchObject({ status: 'uploaded', failure: null });
    customer.schemaId = await customer.newSchema(FIELDS);
    expect((await customer.validated(await customer.uploaded(FILE, COLUMNS))).status).toBe('ready');
    await expect.poll(async () => (await customer.blobNames(importId)).filter(isResult), SOON).toEqual([]);
  });
});

describe('a capability', () => {
  it('stays valid for the next revision', async () => {
    const capability = await customer.newCapability();
    await revise(2, MORE_FIELDS);
    const path = `/schemas/${customer.schemaId}/imports`;
    const { body } = await customer.agent('POST', path, customer.reservation(FILE, { revision: 2 }));
    await customer.upload(body, [FILE]);
    await customer.agent('POST', `/imports/${body.importId}/mapping`, mapping(1, COLUMNS));
    await customer.validated(body.importId);
    await customer.approve(body.importId);
    const batch = await customer.batch(capability, body.importId, 0);
    expect(batch.body.rows[0].values).toEqual({ code: '1', note: null });
    expect(batch.body.manifest.schemaRevision).toBe(2);
  });
});

function isResult(blobName: string): boolean {
  return !/^(source|mapping)\//.test(blobName);
}

describe("an owner's mapping", () => {
  it('is the next revision after a mapping by the agent', async () => {
    const importId = await customer.uploaded(FILE, COLUMNS);
    const mapped = await customer.owner('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS));
    expect(mapped).toMatchObject({ status: 200, body: { importId, mappingRevision: 2, status: 'uploaded' } });
    const late = await customer.agent('POST', `/imports/${importId}/mapping`, mapping(4, COLUMNS));
    expect(refusal(late)).toEqual([409, 'revision_conflict']);
    expect((await status(importId)).mappingRevision).toBe(2);
  });
});
