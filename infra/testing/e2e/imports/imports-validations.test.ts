import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'amount', type: 'integer', required: false },
];
const CODE = { source: 'a', target: 'code' };
const AMOUNT = { source: 'b', target: 'amount' };
const FILE = Buffer.from('a,b,c\n1,2,x\n3,4,y\n');
/** Takes a while, so that a validation of it is still running when the next request arrives. */
const LARGE = Buffer.from(`a,b,c\n${`${'x'.repeat(1_020)},1,2\n`.repeat(1_000)}`);

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, {
    limits: { ...ROOMY_LIMITS, imports: { artifactBytes: 3_000_000 } },
  });
});

afterAll(async () => {
  await customer.service.dispose();
});

const map = (importId: string, revision: number, columns: readonly object[] = [CODE, AMOUNT]) =>
  customer.agent('POST', `/imports/${importId}/mapping`, mapping(revision, columns));

const status = async (importId: string) => (await customer.agent('GET', `/imports/${importId}`)).body;

describe('a mapping', () => {
  it('comes in revisions: the next one, or the same again', async () => {
    const importId = await customer.uploaded(FILE, [CODE]);
    expect(refusal(await map(importId, 3))).toEqual([409, 'revision_conflict']);
    expect(refusal(await map(importId, 1))).toEqual([409, 'revision_conflict']);
    const second = await map(importId, 2);
    expect(second).toMatchObject({ status: 200, body: { mappingRevision: 2, status: 'uploaded' } });
    expect((await map(importId, 2, [AMOUNT, CODE])).body).toEqual(second.body);
    expect(refusal(await map(importId, 1, [CODE]))).toEqual([409, 'revision_conflict']);
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.mapping).toMatchObject({ revision: 2 });
  });

  it('is taken once when two different ones are the next', async () => {
    const importId = await customer.uploaded(FILE, [CODE]);
    const both = await Promise.all([map(importId, 2), map(importId, 2, [{ ...CODE, source: 'c' }])]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await customer.validated(importId)).status).toBe('ready');
    await expect
      .poll(async () => (await customer.blobNames(importId)).filter(isMapping), SOON)
      .toHaveLength(1);
  });

  it.each([
    ['a source twice', [CODE, { source: 'a', target: 'amount' }], 'columns'],
    ['a target twice', [CODE, { source: 'b', target: 'code' }], 'columns'],
    ['a required target left out', [AMOUNT], 'code'],
    ['a target that the schema does not have', [CODE, { source: 'b', target: 'other' }], 'columns[1].target'],
    ['a target like a prototype', [CODE, { source: 'b', target: 'constructor' }], 'columns[1].target'],
    ['a source that the file does not have', [CODE, { source: 'B', target: 'amount' }], 'columns[1].source'],
    ['a source like a prototype', [CODE, { source: '__proto__', target: 'amount' }], 'columns[1].source'],
    ['nothing', [], 'columns'],
    ['a member that is not known', [{ ...CODE, trim: true }], 'columns[0]'],
  ])('is refused and changes nothing: %s', async (_what, columns, named) => {
    const importId = await customer.uploaded(FILE, [CODE]);
    const refused = await map(importId, 2, columns);
    expect(refusal(refused)).toEqual([400, 'bad_request']);
    expect(refused.body.error.message).toContain(named);
    expect((await status(importId)).mappingRevision).toBe(1);
  });

  it('belongs to an import that is there', async () => {
    expect(refusal(await map('8c5f7f1e-6d86-4a0f-9d4c-0d6d9f6ad0b4', 1))).toEqual([404, 'not_found']);
    expect(refusal(await map('import', 1))).toEqual([400, 'bad_request']);
  });
});

describe('the next mapping', () => {
  it('waits for the file', async () => {
    const { importId } = await customer.reserve(FILE);
    expect(refusal(await map(importId, 1))).toEqual([409, 'state_conflict']);
  });

  it('waits for a validation that is running', async () => {
    const importId = await customer.uploaded(LARGE, [CODE]);
    expect((await customer.validate(importId)).status).toBe(202);
    expect(refusal(await map(importId, 2))).toEqual([409, 'state_conflict']);
    expect((await map(importId, 1, [CODE])).status).toBe(200);
    expect((await customer.settled(importId)).status).toBe('ready');
  });

  it('makes a correction of the same file', async () => {
    const importId = await customer.uploaded(FILE, [CODE, { source: 'c', target: 'amount' }]);
    expect(await customer.validated(importId)).toMatchObject({
      status: 'needs_correction',
      rows: { valid: 0, invalid: 2 },
      errorCounts: [{ column: 'amount', code: 'not_integer', count: 2 }],
    });
    expect((await map(importId, 2)).body).toMatchObject({
      status: 'uploaded',
      rows: { total: 0 },
      errorCounts: [],
    });
    expect(await customer.validated(importId)).toMatchObject({ status: 'ready', rows: { valid: 2 } });
  });

  it.each(['ready', 'approved'])('voids what was %s', async (reached) => {
    const importId = await customer.uploaded(FILE, [CODE]);
    const capability = await customer.newCapability();
    await customer.validated(importId);
    const before = (await customer.agent('GET', `/imports/${importId}/binding`)).body;
    if (reached === 'approved') await customer.approve(importId);
    expect((await status(importId)).status).toBe(reached);
    expect((await map(importId, 2)).body).toMatchObject({
      status: 'uploaded',
      batchCount: 0,
      approvedAt: null,
      approvedBy: null,
    });
    const { body: binding } = await customer.agent('GET', `/imports/${importId}/binding`);
    expect(binding).toMatchObject({ mappingRevision: 2, validationDigest: null, batchIds: [] });
    const pulled = await customer.backend(capability, 'GET', `/${importId}/batches?index=0`);
    expect(refusal(pulled)).toEqual([409, 'state_conflict']);
    const { body: list } = await customer.backend(capability, 'GET', '?limit=100');
    expect(list.imports.map((entry: { importId: string }) => entry.importId)).not.toContain(importId);
    await customer.validated(importId);
    const stale = { validationDigest: before.validationDigest };
    expect(refusal(await customer.owner('POST', `/imports/${importId}/approve`, stale))).toEqual([
      409,
      'conflict',
    ]);
    expect((await customer.approve(importId)).body.status).toBe('approved');
  });

  it('is refused once the import is failed, delivered or cancelled', async () => {
    const failed = await customer.uploaded(Buffer.from('a,b\n'), [CODE]);
    expect((await customer.validated(failed)).failure.code).toBe('no_rows');
    expect(refusal(await map(failed, 2))).toEqual([409, 'state_conflict']);
    const delivered = await customer.approved(FILE, [CODE]);
    await customer.acknowledgeAll(await customer.newCapability(), delivered);
    expect((await status(delivered)).status).toBe('delivered');
    expect(refusal(await map(delivered, 2))).toEqual([409, 'state_conflict']);
    const cancelled = await customer.uploaded(FILE, [CODE]);
    await customer.agent('POST', `/imports/${cancelled}/cancel`, {});
    expect(refusal(await map(cancelled, 2))).toEqual([410, 'cancelled']);
    expect(refusal(await map(cancelled, 1, [CODE]))).toEqual([410, 'cancelled']);
  });
});

describe('a validation', () => {
  it('takes a file and a mapping', async () => {
    const reserved = await customer.reserve(FILE);
    expect(refusal(await customer.validate(reserved.importId))).toEqual([409, 'state_conflict']);
    await customer.upload(reserved, [FILE]);
    const unmapped = await customer.validate(reserved.importId);
    expect(refusal(unmapped)).toEqual([409, 'state_conflict']);
    expect(unmapped.body.error.message).toContain('mapping');
    expect((await status(reserved.importId)).validations.used).toBe(0);
  });

  it('is one for one key, however often it is asked for', async () => {
    const importId = await customer.uploaded(FILE, [CODE]);
    const key = customer.newKey();
    const answers = await Promise.all([1, 2, 3].map(() => customer.validate(importId, key)));
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    await customer.settled(importId);
    expect((await customer.validate(importId, key)).body).toEqual(answers[0]?.body);
    expect((await status(importId)).validations).toEqual({ used: 1, limit: 5 });
    const other = await customer.uploaded(FILE, [CODE]);
    expect(refusal(await customer.validate(other, key))).toEqual([409, 'idempotency_conflict']);
  });

  it('can be asked for five times, a replay is not another one', async () => {
    const importId = await customer.uploaded(FILE, [CODE]);
    const key = customer.newKey();
    await customer.validate(importId, key);
    await customer.settled(importId);
    for (let count = 2; count <= 5; count += 1) await customer.validated(importId);
    const sixth = await customer.validate(importId);
    expect(refusal(sixth)).toEqual([429, 'limit_reached']);
    expect(sixth.headers.get('retry-after')).toBeNull();
    expect((await customer.validate(importId, key)).status).toBe(202);
    expect(await status(importId)).toMatchObject({ status: 'ready', validations: { used: 5, limit: 5 } });
  });

  it('is the only one of its installation', async () => {
    const [one, other] = [await customer.uploaded(LARGE, [CODE]), await customer.uploaded(FILE, [CODE])];
    const neighbour = await customer.another(FIELDS);
    const elsewhere = await neighbour.uploaded(FILE, [CODE]);
    expect((await customer.validate(one)).status).toBe(202);
    const [again, second, third] = await Promise.all([
      customer.validate(one),
      customer.validate(other),
      neighbour.validate(elsewhere),
    ]);
    expect(refusal(again)).toEqual([409, 'state_conflict']);
    expect(refusal(second)).toEqual([429, 'limit_reached']);
    // A full-size file takes seconds, so a longer Retry-After would delay the client without need.
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    expect(third.status).toBe(202);
    await customer.settled(one);
    expect(await customer.validated(other)).toMatchObject({ status: 'ready', validations: { used: 1 } });
  });

  it('that was cancelled leaves the slot and no bytes', async () => {
    const [one, other] = [await customer.uploaded(LARGE, [CODE]), await customer.uploaded(FILE, [CODE])];
    await customer.validate(one);
    await customer.agent('POST', `/imports/${one}/cancel`, {});
    expect((await customer.validated(other)).status).toBe('ready');
    await expect.poll(() => customer.blobNames(one), SOON).toEqual([]);
    expect((await status(one)).status).toBe('cancelled');
  });

  it('is refused when the bytes that all of them may write are used up, and what is valid stays', async () => {
    const importId = await customer.uploaded(LARGE, [CODE]);
    for (const count of [1, 2]) {
      const { status: reached, artifactBytes } = await customer.validated(importId);
      expect(reached).toBe('ready');
      expect(artifactBytes.used).toBeGreaterThan(count * 1_000 * 1_000);
    }
    const before = await status(importId);
    const refused = await customer.validate(importId);
    expect(refusal(refused)).toEqual([429, 'limit_reached']);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(await status(importId)).toEqual(before);
    expect((await customer.approve(importId)).body.status).toBe('approved');
    await customer.acknowledgeAll(await customer.newCapability(), importId);
    expect((await status(importId)).status).toBe('delivered');
  });
});

function isMapping(blobName: string): boolean {
  return blobName.startsWith('mapping/');
}
