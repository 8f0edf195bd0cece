import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { importDetailSchema, workspaceImportListSchema } from '../../../../schemas/imports/console-http.ts';
import {
  acknowledgedSchema,
  batchAnswerSchema,
  capabilityAnswerSchema,
  capabilityListSchema,
  deliveryImportSchema,
  deliveryListSchema,
} from '../../../../schemas/imports/delivery-http.ts';
import {
  bindingSchema,
  importProductSchema,
  importStatusSchema,
  reservationSchema,
  schemaListSchema,
} from '../../../../schemas/imports/http.ts';
import { errorListSchema, rowListSchema } from '../../../../schemas/imports/row-http.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ORIGIN, type Received, refusal } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

/** Appears in every header and cell, so that its absence elsewhere can be shown. */
const PRIVATE = 'pr1vate';
const CODE = `${PRIVATE} code`;
const COLUMNS = [
  { source: CODE, target: 'code' },
  { source: `${PRIVATE} amount`, target: 'amount' },
];
const FIELDS = [
  { key: 'amount', type: 'integer', required: false },
  { key: 'code', type: 'text', required: true },
];

/** A file with one row of each kind: valid, no code, no whole number. */
function csv(rows: readonly string[]): Uint8Array {
  return Buffer.from(`${CODE},${PRIVATE} amount\n${rows.map((row) => `${row}\n`).join('')}`);
}

const valid = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${PRIVATE}-${from + index},${index}`);

let customer: ImportsCustomer<ServiceProcess>;

beforeAll(async () => {
  const { http } = ROOMY_LIMITS;
  const limits = { http, plans: { preview: { imports: 100 } } };
  customer = await ImportsCustomer.of(await ServiceProcess.start({ limits }), FIELDS);
});

afterAll(async () => {
  await customer.service.dispose();
});

describe('reserving', () => {
  it('answers the same key with the same reservation, and other input with a conflict', async () => {
    const path = `/schemas/${customer.schemaId}/imports`;
    const wanted = customer.reservation(csv(valid(1)));
    const first = await customer.agent('POST', path, wanted);
    expect(first.status).toBe(201);
    reservationSchema.parse(first.body);
    expect((await customer.agent('POST', path, wanted)).body).toEqual(first.body);
    expect(refusal(await customer.agent('POST', path, { ...wanted, byteLength: 1 }))).toEqual([
      409,
      'idempotency_conflict',
    ]);
  });

  it('charges one import for two requests with one key at the same time', async () => {
    const path = `/schemas/${customer.schemaId}/imports`;
    const wanted = customer.reservation(csv(valid(1)));
    const before = await usedImports();
    const both = await Promise.all([
      customer.agent('POST', path, wanted),
      customer.agent('POST', path, wanted),
    ]);
    expect(both[0]?.body).toEqual(both[1]?.body);
    expect(await usedImports()).toBe(before + 1);
  });

  it('refuses a file over the plan before any byte of it', async () => {
    const wanted = customer.reservation(csv(valid(1)), { byteLength: 1_048_577 });
    const refused = await customer.agent('POST', `/schemas/${customer.schemaId}/imports`, wanted);
    expect(refusal(refused)).toEqual([413, 'payload_too_large']);
  });

  async function usedImports(): Promise<number> {
    return importProductSchema.parse((await customer.product()).body).limits.imports.used;
  }
});

describe('uploading', () => {
  const file = csv(valid(3));

  it('refuses other bytes, fewer and more, leaves nothing of them, and then takes the right ones', async () => {
    const reserved = await customer.reserve(file);
    const other = Buffer.from(file);
    other.reverse();
    expect(refusal(await customer.upload(reserved, [other]))).toEqual([409, 'upload_conflict']);
    expect(refusal(await customer.upload(reserved, [file.subarray(1)]))).toEqual([409, 'upload_conflict']);
    expect(refusal(await customer.upload(reserved, [file, Buffer.from('x')]))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(await customer.blobNames(reserved.importId)).toEqual([]);
    const answer = await customer.upload(reserved, [file.subarray(0, 5), file.subarray(5)]);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'uploaded', byteLength: file.length, sha256: sha256Hex(file) },
    });
    expect(await customer.upload(reserved, [file])).toEqual(answer);
    expect(await customer.blobNames(reserved.importId)).toHaveLength(1);
  });

  it('leaves nothing of an upload whose sender goes away', async () => {
    const reserved = await customer.reserve(file);
    await customer.abortUpload(reserved, file.subarray(0, 20), file.length);
    expect(await customer.upload(reserved, [file])).toMatchObject({ status: 200 });
    await expect.poll(() => customer.blobNames(reserved.importId), SOON).toHaveLength(1);
  });

  it('takes the token of this import only', async () => {
    const [one, other] = [await customer.reserve(file), await customer.reserve(file)];
    expect(refusal(await customer.upload({ ...one, uploadToken: `${one.uploadToken}x` }, [file]))).toEqual([
      401,
      'unauthorized',
    ]);
    expect(refusal(await customer.upload({ ...one, uploadToken: other.uploadToken }, [file]))).toEqual([
      404,
      'not_found',
    ]);
  });

  it.each([
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n', 'utf16le')])],
    ['Windows-1252', Buffer.from('name\nJos\xe9\n', 'latin1')],
  ])('fails the import of a file in %s, and keeps none of it', async (_name, bytes) => {
    const reserved = await customer.reserve(bytes);
    expect(await customer.upload(reserved, [bytes])).toMatchObject({
      status: 200,
      body: { status: 'failed' },
    });
    const { body } = await customer.agent('GET', `/imports/${reserved.importId}`);
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'invalid_utf8' } });
    await expect.poll(() => customer.blobNames(reserved.importId), SOON).toEqual([]);
  });
});

describe('mapping', () => {
  it('names what is wrong by its place, never by the header name', async () => {
    const file = csv(valid(1));
    const reserved = await customer.reserve(file);
    const map = (columns: readonly object[], revision = 1) =>
      customer.agent('POST', `/imports/${reserved.importId}/mapping`, mapping(revision, columns));
    expect(refusal(await map(COLUMNS))).toEqual([409, 'state_conflict']);
    await customer.upload(reserved, [file]);
    const unknownSource = await map([...COLUMNS.slice(1), { source: `${PRIVATE} other`, target: 'code' }]);
    expect(refusal(unknownSource)).toEqual([400, 'bad_request']);
    expect(unknownSource.body.error.message).toContain('columns[1].source');
    expect(unknownSource.body.error.message).not.toContain(PRIVATE);
    expect(refusal(await map([{ source: CODE, target: 'other' }]))).toEqual([400, 'bad_request']);
    const missing = await map(COLUMNS.slice(1));
    expect(missing.body.error.message).toContain('code');
    importStatusSchema.parse((await map(COLUMNS)).body);
    expect((await map([...COLUMNS].reverse())).status).toBe(200);
    expect(refusal(await map(COLUMNS.slice(0, 1)))).toEqual([409, 'revision_conflict']);
    expect((await map(COLUMNS.slice(0, 1), 2)).body.mappingRevision).toBe(2);
    await expect.poll(() => mappingBlobs(reserved.importId), SOON).toHaveLength(1);
  });

  it('is refused where the upload failed by the header', async () => {
    const importId = await customer.uploaded(Buffer.from('name,name\n1,2\n'), COLUMNS);
    const { body: status } = await customer.agent('GET', `/imports/${importId}`);
    expect(status).toMatchObject({ status: 'failed', failure: { code: 'duplicate_header', line: 1 } });
    expect(status.mappingRevision).toBeNull();
  });
});

describe('previewing', () => {
  let importId = '';

  beforeAll(async () => {
    const rows = [...valid(150), '', `,${PRIVATE}`, `${PRIVATE},1,2`, ...valid(70, 200)];
    importId = await customer.uploaded(csv(rows), COLUMNS);
    const status = await customer.validated(importId);
    expect(status).toMatchObject({
      status: 'needs_correction',
      rows: { total: 223, valid: 220, invalid: 2, blank: 1 },
      progress: { done: 3, total: 3 },
    });
    expect(JSON.stringify(status)).not.toContain(PRIVATE);
  });

  it('pages through every row once, in order', async () => {
    const rows = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${cursor}`;
      const page = rowListSchema.parse(
        (await customer.owner('GET', `/imports/${importId}/rows?${query}`)).body,
      );
      rows.push(...page.rows);
      cursor = page.nextCursor;
    }
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 222 }, (_, index) => index + 1));
    expect(rows[0]).toEqual({
      row: 1,
      line: 2,
      source: [`${PRIVATE}-1`, '0'],
      values: { amount: '0', code: `${PRIVATE}-1` },
      errors: [],
      moreErrors: 0,
    });
    expect(rows[150]).toMatchObject({ line: 153, values: null });
  });

  it('filters by validity, field and code', async () => {
    const read = async (query: string) => {
      const { body } = await customer.owner('GET', `/imports/${importId}/rows?${query}`);
      return rowListSchema.parse(body).rows.map(({ row }) => row);
    };
    expect(await read('filter=invalid')).toEqual([151, 152]);
    expect(await read('field=code')).toEqual([151]);
    expect(await read('code=column_count')).toEqual([152]);
    expect(await read('filter=valid&code=column_count')).toEqual([]);
    expect(await read('filter=valid&limit=1&cursor=150')).toEqual([153]);
  });

  it('lists every error with its cell, page by page', async () => {
    const path = `/imports/${importId}/errors`;
    const all = errorListSchema.parse((await customer.owner('GET', path)).body);
    expect(all).toMatchObject({ total: 3, nextCursor: null });
    expect(all.errors).toMatchObject([
      { row: 151, column: 'amount', source: `${PRIVATE} amount`, value: PRIVATE, code: 'not_integer' },
      { row: 151, column: 'code', source: CODE, value: '', code: 'required' },
      { row: 152, column: null, source: null, value: null, code: 'column_count' },
    ]);
    const paged = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const { body }: Received = await customer.owner('GET', `${path}?limit=1&cursor=${cursor}`);
      paged.push(...errorListSchema.parse(body).errors);
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all.errors);
  });

  it('shows the owner headers and mapping', async () => {
    const detail = importDetailSchema.parse((await customer.owner('GET', `/imports/${importId}`)).body);
    expect(detail.headers).toEqual([CODE, `${PRIVATE} amount`]);
    expect(detail.mapping?.columns).toEqual(COLUMNS);
    expect(detail.batches.map(({ index }) => index)).toEqual([0, 2]);
  });

  it('ends with the cancellation, bytes and all', async () => {
    await customer.owner('POST', `/imports/${importId}/cancel`, {});
    expect(refusal(await customer.owner('GET', `/imports/${importId}/rows`))).toEqual([410, 'cancelled']);
    expect((await customer.owner('GET', `/imports/${importId}`)).body).toMatchObject({ headers: null });
    const { body: cancelled } = await customer.agent('GET', `/imports/${importId}`);
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(await customer.owner('POST', `/imports/${importId}/cancel`, {})).toMatchObject({
      status: 200,
      body: cancelled,
    });
    expect((await customer.agent('POST', `/imports/${importId}/cancel`, {})).status).toBe(200);
    await expect.poll(() => customer.blobNames(importId), SOON).toEqual([]);
  });
});

describe('delivering', () => {
  let importId = '';
  let capability = '';
  const batches = () => customer.backend(capability, 'GET', `/${importId}/batches?index=0`);

  beforeAll(async () => {
    importId = await customer.uploaded(csv(valid(250)), COLUMNS);
    await customer.validated(importId);
  });

  it('shows a capability once', async () => {
    const path = `/schemas/${customer.schemaId}/capabilities`;
    const wanted = {
      idempotencyKey: customer.newKey(),
      name: 'Backend',
      origin: ORIGIN,
      expiresInDays: 30,
      delegateApproval: false,
    };
    const first = await customer.owner('POST', path, wanted);
    expect(first.status).toBe(201);
    capability = String(capabilityAnswerSchema.parse(first.body).capability);
    expect((await customer.owner('POST', path, wanted)).body).toEqual({ ...first.body, capability: null });
    const elsewhere = { ...wanted, idempotencyKey: customer.newKey(), origin: 'https://other.example' };
    expect(refusal(await customer.owner('POST', path, elsewhere))).toEqual([400, 'bad_request']);
    const list = capabilityListSchema.parse((await customer.owner('GET', path)).body);
    expect(list.capabilities).toMatchObject([
      { name: 'Backend', last4: capability.slice(-4), revokedAt: null },
    ]);
  });

  it('hands out nothing before exactly what was validated is approved', async () => {
    expect(refusal(await batches())).toEqual([409, 'state_conflict']);
    const list = await customer.backend(capability, 'GET', '');
    expect(deliveryListSchema.parse(list.body).imports).toEqual([]);
    const approve = (validationDigest: string | null) =>
      customer.owner('POST', `/imports/${importId}/approve`, { validationDigest });
    expect(refusal(await approve(sha256Hex('stale')))).toEqual([409, 'conflict']);
    const binding = bindingSchema.parse((await customer.agent('GET', `/imports/${importId}/binding`)).body);
    expect(binding.batchIds).toHaveLength(3);
    const approved = await approve(binding.validationDigest);
    expect(approved.body).toMatchObject({ status: 'approved', batchCount: 3, approvedBy: { kind: 'user' } });
    expect((await approve(binding.validationDigest)).body).toEqual(approved.body);
    expect(refusal(await customer.agent('POST', `/imports/${importId}/cancel`, {}))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  it('delivers every batch, and takes acknowledgments of whole batches only', async () => {
    const path = `/${importId}`;
    const rows: string[] = [];
    for (let index: number | null = 0; index !== null; ) {
      const pulled: Received = await customer.backend(capability, 'GET', `${path}/batches?index=${index}`);
      const batch = batchAnswerSchema.parse(pulled.body);
      rows.push(...batch.rows.map(({ values }) => String(values['code'])));
      const ack = (acceptedRowIds: readonly string[]) =>
        customer.backend(capability, 'POST', `${path}/ack`, {
          version: 'svcimport.acknowledge.v1',
          importId,
          ack: { version: 'svcimport.ack.v1', batchId: batch.batchId, status: 'accepted', acceptedRowIds },
        });
      const { rowIds } = batch.manifest;
      expect(refusal(await ack(rowIds.slice(1)))).toEqual([409, 'acknowledgment_conflict']);
      expect(refusal(await ack([...rowIds, ...rowIds.slice(0, 1)]))).toEqual([
        409,
        'acknowledgment_conflict',
      ]);
      const first = await ack([...rowIds].reverse());
      expect(acknowledgedSchema.parse(first.body).remainingBatches).toBe(2 - index);
      expect((await ack(rowIds)).body).toEqual(first.body);
      index = batch.nextIndex;
    }
    expect(rows).toEqual(Array.from({ length: 250 }, (_, index) => `${PRIVATE}-${index + 1}`));
    expect(refusal(await customer.backend(capability, 'GET', `${path}/batches?index=3`))).toEqual([
      404,
      'not_found',
    ]);
    const one = deliveryImportSchema.parse((await customer.backend(capability, 'GET', path)).body);
    expect(one).toMatchObject({ status: 'delivered', acknowledgedBatches: 3, rowCount: 250 });
    const list = deliveryListSchema.parse((await customer.backend(capability, 'GET', '')).body);
    expect(list.imports.map((entry) => entry.importId)).toEqual([importId]);
  });

  it('lists imports newest first, by status', async () => {
    const { body } = await customer.owner('GET', '/imports?status=delivered&limit=1');
    expect(workspaceImportListSchema.parse(body)).toMatchObject({
      imports: [{ importId }],
      nextCursor: null,
    });
    const all = workspaceImportListSchema.parse((await customer.owner('GET', '/imports?limit=2')).body);
    expect(all.imports[0]?.importId).toBe(importId);
    const next = await customer.owner('GET', `/imports?limit=100&cursor=${all.nextCursor}`);
    const rest = workspaceImportListSchema.parse(next.body).imports.map((entry) => entry.importId);
    expect(rest).not.toContain(importId);
    schemaListSchema.parse((await customer.owner('GET', '/schemas')).body);
  });

  it('ends with the revocation', async () => {
    const path = `/schemas/${customer.schemaId}/capabilities`;
    const { body } = await customer.owner('GET', path);
    const { capabilityId } = capabilityListSchema.parse(body).capabilities[0]!;
    expect((await customer.owner('DELETE', `${path}/${capabilityId}`)).status).toBe(204);
    expect(refusal(await batches())).toEqual([401, 'unauthorized']);
  });
});

describe('what is private', () => {
  it('is in blobs only: not in topics, documents, outcomes, look-ups or logs', async () => {
    expect(customer.service.output).not.toContain(PRIVATE);
    expect(await customer.placesHolding(PRIVATE)).toEqual(['blobs']);
  });
});

async function mappingBlobs(importId: string): Promise<string[]> {
  return (await customer.blobNames(importId)).filter((name) => name.startsWith('mapping'));
}
