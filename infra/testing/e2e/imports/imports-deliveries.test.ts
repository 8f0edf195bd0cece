import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { batchAnswerSchema } from '../../../../schemas/imports/delivery-http.ts';
import type { Batch } from '../../../demo/backend.ts';
import { recomputeBatchId } from '../../../demo/batch-identity.ts';
import { refusal } from '../customer.fixture.ts';
import { type ImportsCustomer, mapping, serveImports } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'active', type: 'boolean', required: false },
  { key: 'day', type: 'date', required: false, format: 'DD.MM.YYYY' },
];
const KEYS = ['code', 'active', 'day'];
const COLUMNS = [
  { source: 'day', target: 'day' },
  { source: 'code', target: 'code' },
  { source: 'active', target: 'active' },
];

const csv = (rows: number) =>
  Buffer.from(
    `code,active,day\n${Array.from({ length: rows }, (_, row) => `00${row},true,29.02.2024\n`).join('')}`,
  );

let customer: ImportsCustomer;
let capability = '';

serveImports(FIELDS, ROOMY_LIMITS, (started) => {
  customer = started;
});

beforeEach(async () => {
  customer.schemaId = await customer.newSchema(FIELDS);
  capability = await customer.newCapability();
});

async function pull(importId: string, index: number): Promise<Batch> {
  return batchAnswerSchema.parse((await customer.batch(capability, importId, index)).body);
}

const acknowledge = (importId: string, { batchId }: Batch, rowIds: readonly string[]) =>
  customer.acknowledge(capability, importId, batchId, rowIds);

const one = async (importId: string) => (await customer.backend(capability, 'GET', `/${importId}`)).body;

describe('the list', () => {
  it('has approved imports and later ones, in the order of their approvals, page by page', async () => {
    const imports = [];
    for (const rows of [1, 2, 3]) {
      const importId = await customer.uploaded(csv(rows), COLUMNS);
      await customer.validated(importId);
      imports.push(importId);
    }
    const [first, second, third] = imports as [string, string, string];
    await customer.approve(third);
    await customer.approve(first);
    const ids = async (query = '') => {
      const { body } = await customer.backend(capability, 'GET', query);
      return [body.imports.map((entry: { importId: string }) => entry.importId), body.nextCursor];
    };
    expect(await ids()).toEqual([[third, first], null]);
    await customer.approve(second);
    await customer.acknowledgeAll(capability, first);
    await customer.owner('POST', `/imports/${third}/cancel`, {});
    expect(await ids()).toEqual([[third, first, second], null]);
    const [page, cursor] = await ids('?limit=2');
    expect(page).toEqual([third, first]);
    expect(await ids(`?limit=2&cursor=${cursor}`)).toEqual([[second], null]);
    expect((await customer.backend(capability, 'GET', '')).body.imports).toMatchObject([
      { status: 'cancelled', rowCount: 3 },
      { status: 'delivered', rowCount: 1, batchCount: 1, acknowledgedBatches: 1 },
      { status: 'approved', rowCount: 2, batchCount: 1, acknowledgedBatches: 0 },
    ]);
  });

  it('lists an import once, although it is approved again', async () => {
    const importId = await customer.approved(csv(1), COLUMNS);
    await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS.slice(1)));
    await customer.validated(importId);
    await customer.approve(importId);
    expect((await customer.backend(capability, 'GET', '')).body.imports).toHaveLength(1);
  });

  it('can leave out what is delivered and what has ended', async () => {
    const [delivered, open, cancelled, other] = [
      await customer.approved(csv(1), COLUMNS),
      await customer.approved(csv(101), COLUMNS),
      await customer.approved(csv(3), COLUMNS),
      await customer.approved(csv(4), COLUMNS),
    ];
    await customer.acknowledgeAll(capability, delivered);
    const first = await pull(open, 0);
    await acknowledge(open, first, first.manifest.rowIds);
    await customer.owner('POST', `/imports/${cancelled}/cancel`, {});
    const list = async (query: string) => {
      const { body } = await customer.backend(capability, 'GET', query);
      return body.imports.map((entry: { importId: string }) => entry.importId);
    };
    expect(await list('?filter=undelivered')).toEqual([open, other]);
    expect(await list('?filter=all')).toEqual([delivered, open, cancelled, other]);
    const { body: page } = await customer.backend(capability, 'GET', '?filter=undelivered&limit=1');
    expect(page.imports).toMatchObject([{ importId: open, batchCount: 2, acknowledgedBatches: 1 }]);
    expect(await list(`?filter=undelivered&limit=1&cursor=${page.nextCursor}`)).toEqual([other]);
  });

  it('leaves out an approval that was void when the import was cancelled, however it became void', async () => {
    const [mapped, revised] = [
      await customer.approved(csv(1), COLUMNS),
      await customer.approved(csv(2), COLUMNS),
    ];
    await customer.agent('POST', `/imports/${mapped}/mapping`, mapping(2, COLUMNS.slice(1)));
    await customer.agent('POST', `/schemas/${customer.schemaId}`, customer.configuration(2, FIELDS));
    for (const importId of [mapped, revised]) {
      await customer.owner('POST', `/imports/${importId}/cancel`, {});
      expect(await one(importId)).toMatchObject({ status: 'cancelled', approvedAt: null, batchCount: 0 });
    }
    expect((await customer.backend(capability, 'GET', '')).body.imports).toEqual([]);
  });

  it.each(['?limit=0', '?limit=101', '?cursor=x', '?limit=1&limit=2', '?status=approved', '?filter=open'])(
    'is not asked for like this: %s',
    async (query) => {
      expect(refusal(await customer.backend(capability, 'GET', query))).toEqual([400, 'bad_request']);
    },
  );
});

describe('an approval', () => {
  it('names exactly the latest validation, and twice is once', async () => {
    const importId = await customer.uploaded(csv(1), COLUMNS);
    const approve = (validationDigest: unknown) =>
      customer.owner('POST', `/imports/${importId}/approve`, { validationDigest });
    expect(refusal(await approve(sha256Hex('none')))).toEqual([409, 'state_conflict']);
    await customer.validated(importId);
    expect(refusal(await approve(sha256Hex('another')))).toEqual([409, 'conflict']);
    expect(refusal(await approve(null))).toEqual([400, 'bad_request']);
    const answers = await Promise.all([customer.approve(importId), customer.approve(importId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(refusal(await approve(sha256Hex('another')))).toEqual([409, 'conflict']);
  });

  it('is followed by no other validation of the same mapping', async () => {
    const importId = await customer.approved(csv(1), COLUMNS);
    expect(refusal(await customer.validate(importId))).toEqual([409, 'state_conflict']);
    expect((await one(importId)).status).toBe('approved');
  });

  it('takes a wholly valid import', async () => {
    const importId = await customer.uploaded(Buffer.from('code,active,day\nx,yes,\n'), COLUMNS);
    expect((await customer.validated(importId)).status).toBe('needs_correction');
    const digest = { validationDigest: sha256Hex('any') };
    const refused = await customer.owner('POST', `/imports/${importId}/approve`, digest);
    expect(refusal(refused)).toEqual([409, 'state_conflict']);
  });
});

describe('a batch', () => {
  it('has ids that a customer can compute, for 100 rows at most', async () => {
    const importId = await customer.approved(csv(201), COLUMNS);
    const batches = [await pull(importId, 0), await pull(importId, 1), await pull(importId, 2)];
    expect(batches.map(({ nextIndex }) => nextIndex)).toEqual([1, 2, null]);
    expect(batches.map(({ rows }) => rows.length)).toEqual([100, 100, 1]);
    expect(batches.map((batch) => recomputeBatchId(batch, KEYS))).toEqual(
      batches.map(({ batchId }) => batchId),
    );
    expect(batches.flatMap(({ rows }) => rows.map(({ row }) => row))).toEqual(
      Array.from({ length: 201 }, (_, row) => row + 1),
    );
    expect(Object.entries(batches[0]?.rows[0]?.values ?? {})).toEqual([
      ['code', '000'],
      ['active', true],
      ['day', '2024-02-29'],
    ]);
    const { body } = await customer.agent('GET', `/imports/${importId}/binding`);
    expect(body.batchIds).toEqual(batches.map(({ batchId }) => batchId));
  });

  it('ends before 256 KiB of records would be passed', async () => {
    const record = `${'x'.repeat(16_384)},,`;
    const wide = [16, 17].map((count) => Buffer.from(`code,active,day\n${`${record}\n`.repeat(count)}`));
    const counts = [];
    for (const file of wide) {
      const importId = await customer.approved(file, COLUMNS);
      const { body } = await customer.owner('GET', `/imports/${importId}`);
      counts.push(body.batches.map(({ rowCount }: { rowCount: number }) => rowCount));
    }
    expect(counts).toEqual([
      [15, 1],
      [15, 2],
    ]);
  });

  it('is there from the approval to the cancellation', async () => {
    const importId = await customer.uploaded(csv(1), COLUMNS);
    expect(refusal(await customer.batch(capability, importId, 0))).toEqual([409, 'state_conflict']);
    await customer.validated(importId);
    expect(refusal(await customer.batch(capability, importId, 0))).toEqual([409, 'state_conflict']);
    await customer.approve(importId);
    expect((await customer.batch(capability, importId, 0)).status).toBe(200);
    expect(refusal(await customer.batch(capability, importId, 1))).toEqual([404, 'not_found']);
    for (const query of ['', '?index=-1', '?index=1.5', '?index=00', '?index=0&index=0']) {
      const refused = await customer.backend(capability, 'GET', `/${importId}/batches${query}`);
      expect(refusal(refused)).toEqual([400, 'bad_request']);
    }
    await customer.owner('POST', `/imports/${importId}/cancel`, {});
    expect(refusal(await customer.batch(capability, importId, 0))).toEqual([410, 'cancelled']);
    expect(await one(importId)).toMatchObject({ status: 'cancelled', rowCount: 1 });
  });

  it('is the same for two who pull at the same time', async () => {
    const importId = await customer.approved(csv(150), COLUMNS);
    const pulls = await Promise.all([0, 0, 1, 1].map((index) => customer.batch(capability, importId, index)));
    expect(pulls[1]?.body).toEqual(pulls[0]?.body);
    expect(pulls[3]?.body).toEqual(pulls[2]?.body);
    expect(pulls.every(({ headers }) => headers.get('cache-control') === 'no-store')).toBe(true);
  });
});

describe('an acknowledgment', () => {
  it('takes batches in any order, and rows in any order', async () => {
    const importId = await customer.approved(csv(250), COLUMNS);
    const left = [];
    for (const index of [2, 0, 1]) {
      expect((await one(importId)).status).toBe('approved');
      const batch = await pull(importId, index);
      const { body } = await acknowledge(importId, batch, [...batch.manifest.rowIds].sort());
      left.push(body.remainingBatches);
    }
    expect(left).toEqual([2, 1, 0]);
    expect(await one(importId)).toMatchObject({ status: 'delivered', acknowledgedBatches: 3 });
    expect((await customer.batch(capability, importId, 2)).status).toBe(200);
  });

  it('is of the whole batch and nothing else', async () => {
    const importId = await customer.approved(csv(102), COLUMNS);
    const [batch, next] = [await pull(importId, 0), await pull(importId, 1)];
    const { rowIds } = batch.manifest;
    const [first = '', second = ''] = rowIds;
    const wrong: readonly (readonly string[])[] = [
      [],
      rowIds.slice(1),
      [...rowIds, first],
      [first, ...rowIds.slice(1, -1), second],
      [...rowIds.slice(0, -1), sha256Hex('foreign')],
      [...rowIds, ...next.manifest.rowIds],
      next.manifest.rowIds,
    ];
    for (const ids of wrong) {
      expect(refusal(await acknowledge(importId, batch, ids))).toEqual([409, 'acknowledgment_conflict']);
    }
    expect((await one(importId)).acknowledgedBatches).toBe(0);
    expect((await acknowledge(importId, batch, rowIds)).body.remainingBatches).toBe(1);
    expect(refusal(await acknowledge(importId, batch, rowIds.slice(1)))).toEqual([
      409,
      'acknowledgment_conflict',
    ]);
    expect((await acknowledge(importId, next, next.manifest.rowIds)).body.remainingBatches).toBe(0);
  });

  it('is of a batch of this import', async () => {
    const [importId, other] = [
      await customer.approved(csv(1), COLUMNS),
      await customer.approved(csv(2), COLUMNS),
    ];
    const batch = await pull(other, 0);
    expect(refusal(await acknowledge(importId, batch, batch.manifest.rowIds))).toEqual([
      409,
      'acknowledgment_conflict',
    ]);
    const unknown = '8c5f7f1e-6d86-4a0f-9d4c-0d6d9f6ad0b4';
    expect(refusal(await acknowledge(unknown, batch, batch.manifest.rowIds))).toEqual([404, 'not_found']);
    const elsewhere = await customer.backend(capability, 'POST', `/${other}/ack`, {
      version: 'svcimport.acknowledge.v1',
      importId,
      ack: {
        version: 'svcimport.ack.v1',
        batchId: batch.batchId,
        status: 'accepted',
        acceptedRowIds: batch.manifest.rowIds,
      },
    });
    expect(refusal(elsewhere)).toEqual([400, 'bad_request']);
  });

  it('is counted once, however many come at the same time', async () => {
    const importId = await customer.approved(csv(101), COLUMNS);
    const batch = await pull(importId, 0);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acknowledge(importId, batch, batch.manifest.rowIds)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.body.remainingBatches).toBe(1);
    expect((await one(importId)).acknowledgedBatches).toBe(1);
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.batches[0].acknowledgedAt).toBe(answers[0]?.body.acknowledgedAt);
  });

  it('stands when the same batches are approved again after another mapping', async () => {
    const columns = COLUMNS.slice(1, 2);
    const importId = await customer.approved(csv(250), columns);
    const batches = [await pull(importId, 0), await pull(importId, 1), await pull(importId, 2)];
    const [first, second] = batches as [Batch, Batch];
    const answer = await acknowledge(importId, first, first.manifest.rowIds);
    await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, columns));
    const takenOver = { status: 'uploaded', batchCount: 0, acknowledgedBatches: 1 };
    expect(await one(importId)).toMatchObject(takenOver);
    expect((await customer.owner('GET', `/imports/${importId}`)).body).toMatchObject(takenOver);
    await customer.validated(importId);
    const between = await acknowledge(importId, second, second.manifest.rowIds);
    expect(between.body.remainingBatches).toBe(1);
    await customer.approve(importId);
    expect(await one(importId)).toMatchObject({
      status: 'approved',
      batchCount: 3,
      acknowledgedBatches: 2,
    });
    expect((await acknowledge(importId, first, first.manifest.rowIds)).body).toEqual(answer.body);
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body.batches.map(({ acknowledgedAt }: { acknowledgedAt: string }) => acknowledgedAt)).toEqual([
      answer.body.acknowledgedAt,
      between.body.acknowledgedAt,
      null,
    ]);
    await customer.acknowledgeAll(capability, importId);
    expect(await one(importId)).toMatchObject({ status: 'delivered', acknowledgedBatches: 3 });
  });

  it('is not possible before the approval', async () => {
    const importId = await customer.approved(csv(1), COLUMNS);
    const batch = await pull(importId, 0);
    const again = await customer.uploaded(csv(1), COLUMNS);
    await customer.validated(again);
    expect(refusal(await acknowledge(again, batch, batch.manifest.rowIds))).toEqual([
      409,
      'acknowledgment_conflict',
    ]);
  });

  it.each(['cancelled', 'mapped again'])('is still recorded once the import was %s', async (how) => {
    const importId = await customer.approved(csv(101), COLUMNS);
    const [batch, next] = [await pull(importId, 0), await pull(importId, 1)];
    const first = await acknowledge(importId, batch, batch.manifest.rowIds);
    const reached = how === 'cancelled' ? 'cancelled' : 'uploaded';
    if (how === 'cancelled') await customer.owner('POST', `/imports/${importId}/cancel`, {});
    else await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS.slice(1)));
    expect((await acknowledge(importId, batch, batch.manifest.rowIds)).body).toEqual(first.body);
    const last = await acknowledge(importId, next, next.manifest.rowIds);
    expect(last).toMatchObject({ status: 200, body: { status: 'accepted', remainingBatches: 0 } });
    expect((await one(importId)).status).toBe(reached);
  });
});
