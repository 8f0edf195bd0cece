import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer, type Reserved, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'note', type: 'text', required: false },
];
const COLUMNS = [
  { source: 'code', target: 'code' },
  { source: 'note', target: 'note' },
];
const HEADER = 'code,note\n';
const MIB = 1_048_576;
/** Uploads on a busy machine have to end within it, and some tests wait for its end. */
const TOKEN_MS = 2_500;

const rows = (count: number) =>
  Buffer.from(`${HEADER}${Array.from({ length: count }, (_, index) => `${index},\n`).join('')}`);

/** A valid file of exactly this many bytes in 1,000 rows. */
function fileOf(byteLength: number): Buffer {
  const perRow = Math.floor((byteLength - HEADER.length) / 1_000);
  const row = `x,${'y'.repeat(perRow - 3)}\n`;
  const rest = byteLength - HEADER.length - 999 * perRow;
  return Buffer.from(`${HEADER}${row.repeat(999)}x,${'z'.repeat(rest - 3)}\n`);
}

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, {
    limits: { ...ROOMY_LIMITS, imports: { uploadTokenMs: TOKEN_MS, uploadAttempts: 5 } },
  });
});

afterAll(async () => {
  await customer.service.dispose();
});

const reservePath = () => `/schemas/${customer.schemaId}/imports`;

async function usedImports(): Promise<number> {
  return (await customer.product()).body.limits.imports.used;
}

describe('the size of a file', () => {
  it('is 1 MiB at most, which is taken', async () => {
    const file = fileOf(MIB);
    expect(file.length).toBe(MIB);
    const importId = await customer.uploaded(file, COLUMNS);
    const status = await customer.validated(importId);
    expect(status).toMatchObject({
      status: 'ready',
      byteLength: MIB,
      rows: { total: 1_000, valid: 1_000 },
      batchCount: 10,
    });
    expect(status.artifactBytes.used).toBeGreaterThan(MIB - 3_000);
  });

  it('is refused with one byte more at the reservation, which charges nothing and forgets the key', async () => {
    const before = await usedImports();
    const wanted = customer.reservation(Buffer.alloc(MIB + 1, 'x'));
    const refused = await customer.agent('POST', reservePath(), wanted);
    expect(refusal(refused)).toEqual([413, 'payload_too_large']);
    expect(refused.body.error.message).toContain(String(MIB));
    expect(await usedImports()).toBe(before);
    const taken = await customer.agent('POST', reservePath(), { ...wanted, byteLength: MIB });
    expect(taken.status).toBe(201);
    expect(await usedImports()).toBe(before + 1);
  });

  it('is refused at the first byte too many, and the connection is closed', async () => {
    const file = fileOf(MIB);
    const reserved = await customer.reserve(file);
    const upload = openUpload(reserved);
    upload.write(file);
    upload.write('x');
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    const closed = once(response.socket, 'close');
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
    expect([response.statusCode, body.error.code]).toEqual([413, 'payload_too_large']);
    expect(response.headers.connection).toBe('close');
    await closed;
    expect(await customer.blobNames(reserved.importId)).toEqual([]);
  });

  it('is refused by its announcement before a byte is sent', async () => {
    const file = rows(1);
    const reserved = await customer.reserve(file);
    const upload = openUpload(reserved, { 'Content-Length': '300000', Expect: '100-continue' });
    let asked = false;
    upload.on('continue', () => {
      asked = true;
    });
    upload.flushHeaders();
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect([response.statusCode, asked]).toEqual([413, false]);
    upload.destroy();
    expect(await customer.upload(reserved, [file])).toMatchObject({ status: 200 });
  });
});

describe('the number of rows', () => {
  it('is 1,000 at most, blank lines not counted', async () => {
    const file = Buffer.concat([rows(1_000), Buffer.from('\n\n')]);
    const status = await customer.validated(await customer.uploaded(file, COLUMNS));
    expect(status).toMatchObject({ status: 'ready', rows: { total: 1_002, valid: 1_000, blank: 2 } });
  });

  it('counts invalid rows and not the line ends in quotes', async () => {
    const quoted = Buffer.from('"a\n\nb","\n"\n');
    const accepted = Buffer.concat([rows(998), quoted, Buffer.from(',\n')]);
    expect(await customer.validated(await customer.uploaded(accepted, COLUMNS))).toMatchObject({
      status: 'needs_correction',
      rows: { total: 1_000, valid: 999, invalid: 1 },
    });
    const refused = Buffer.concat([accepted, Buffer.from(',\n')]);
    expect(await customer.validated(await customer.uploaded(refused, COLUMNS))).toMatchObject({
      status: 'failed',
      failure: { code: 'too_many_rows', line: 1_005, byteOffset: accepted.length },
    });
  });
});

describe('an upload that goes wrong', () => {
  const file = rows(50);

  it('keeps nothing when the client stops in the middle; the token takes the whole file', async () => {
    const reserved = await customer.reserve(file);
    await customer.abortUpload(reserved, file.subarray(0, 100), file.length);
    await expect.poll(() => customer.blobNames(reserved.importId), SOON).toEqual([]);
    expect((await customer.agent('GET', `/imports/${reserved.importId}`)).body.status).toBe('reserved');
    expect(await customer.upload(reserved, [file])).toMatchObject({ status: 200 });
  });

  it.each([
    ['one byte less', file.subarray(0, -1)],
    ['nothing at all', Buffer.alloc(0)],
    ['as many other bytes', Buffer.from(file).fill('x', 20, 21)],
  ])('conflicts, keeps nothing and leaves the token: %s', async (_what, sent) => {
    const reserved = await customer.reserve(file);
    expect(refusal(await customer.upload(reserved, [sent]))).toEqual([409, 'upload_conflict']);
    expect(await customer.blobNames(reserved.importId)).toEqual([]);
    expect(await customer.upload(reserved, [file])).toMatchObject({ status: 200 });
  });

  it('is one upload when two come at the same time', async () => {
    const reserved = await customer.reserve(file);
    const [one, other] = await Promise.all([
      customer.upload(reserved, [file]),
      customer.upload(reserved, [file.subarray(0, 7), file.subarray(7)]),
    ]);
    const answer = { importId: reserved.importId, status: 'uploaded', byteLength: file.length };
    expect(one).toMatchObject({ status: 200, body: { ...answer, sha256: sha256Hex(file) } });
    expect(other?.body).toEqual(one?.body);
    await expect.poll(() => customer.blobNames(reserved.importId), SOON).toHaveLength(1);
    const { status } = await customer.validated(await mapped(reserved));
    expect(status).toBe('ready');
  });

  it('cannot replace bytes that are there', async () => {
    const reserved = await customer.reserve(file);
    await customer.upload(reserved, [file]);
    const before = await customer.blobNames(reserved.importId);
    const other = Buffer.from(file).fill('y', 20, 21);
    expect(refusal(await customer.upload(reserved, [other]))).toEqual([409, 'upload_conflict']);
    expect(await customer.blobNames(reserved.importId)).toEqual(before);
  });

  it('is not CSV by its type, or not for this token', async () => {
    const reserved = await customer.reserve(file);
    const put = (headers: Record<string, string>) =>
      fetch(reserved.uploadUrl, { method: 'PUT', headers, body: file });
    const token = { Authorization: `Bearer ${reserved.uploadToken}` };
    expect((await put({ ...token, 'Content-Type': 'application/json' })).status).toBe(415);
    expect((await put({ ...token, 'Content-Type': 'text/csv; charset=utf-16' })).status).toBe(415);
    expect((await put({ ...token, 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' })).status).toBe(
      415,
    );
    expect((await put({ 'Content-Type': 'text/csv' })).status).toBe(401);
    expect((await put({ ...token, 'Content-Type': 'text/csv; charset=UTF-8' })).status).toBe(200);
  });

  it('meets an import that was cancelled meanwhile', async () => {
    const reserved = await customer.reserve(file);
    const upload = openUpload(reserved, { Expect: '100-continue' });
    upload.flushHeaders();
    await once(upload, 'continue');
    upload.write(file.subarray(0, 10));
    await customer.agent('POST', `/imports/${reserved.importId}/cancel`, {});
    upload.end(file.subarray(10));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(410);
    await expect.poll(() => customer.blobNames(reserved.importId), SOON).toEqual([]);
  });
});

describe('an upload token', () => {
  const file = rows(3);

  it('is followed by another one for the same key, without a charge, five times', async () => {
    const wanted = customer.reservation(file);
    const tokens: string[] = [];
    let importId = '';
    let used = 0;
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const { status, body } = await customer.agent('POST', reservePath(), wanted);
      expect(status).toBe(201);
      if (attempt === 1) {
        importId = body.importId;
        used = await usedImports();
      }
      expect(body.importId).toBe(importId);
      tokens.push(body.uploadToken);
      await ended(body.expiresAt);
      expect(refusal(await customer.upload(body, [file]))).toEqual([401, 'unauthorized']);
    }
    expect(new Set(tokens).size).toBe(5);
    const sixth = await customer.agent('POST', reservePath(), wanted);
    expect(refusal(sixth)).toEqual([429, 'limit_reached']);
    expect(sixth.headers.get('retry-after')).toBeNull();
    expect(await usedImports()).toBe(used);
  });

  it('that follows takes the file, and the one before stays ended', async () => {
    const wanted = customer.reservation(file);
    const first = (await customer.agent('POST', reservePath(), wanted)).body;
    await ended(first.expiresAt);
    const both = await Promise.all([
      customer.agent('POST', reservePath(), wanted),
      customer.agent('POST', reservePath(), wanted),
    ]);
    expect(both[0]?.body).toEqual(both[1]?.body);
    const second = both[0].body;
    expect(second.uploadToken).not.toBe(first.uploadToken);
    expect(refusal(await customer.upload(first, [file]))).toEqual([401, 'unauthorized']);
    expect(await customer.upload(second, [file])).toMatchObject({ status: 200 });
    // Its token may have ended meanwhile.
    const { body } = await customer.agent('POST', reservePath(), wanted);
    expect(body.importId).toBe(second.importId);
  });

  it('does not count uploads: the sixth that wrote bytes is refused, whichever token it has', async () => {
    const wanted = customer.reservation(file);
    const wrong = Buffer.from(file).fill('y', 10, 11);
    const first = (await customer.agent('POST', reservePath(), wanted)).body;
    for (const answer of await Promise.all([1, 2, 3].map(() => customer.upload(first, [wrong])))) {
      expect(refusal(answer)).toEqual([409, 'upload_conflict']);
    }
    await ended(first.expiresAt);
    const second = (await customer.agent('POST', reservePath(), wanted)).body;
    for (const answer of await Promise.all([1, 2].map(() => customer.upload(second, [wrong])))) {
      expect(refusal(answer)).toEqual([409, 'upload_conflict']);
    }
    const third = await customer.upload(await nextToken(second, wanted), [file]);
    expect(refusal(third)).toEqual([429, 'limit_reached']);
    expect(third?.headers.get('retry-after')).toBeNull();
    expect(await customer.blobNames(second.importId)).toEqual([]);
  });

  async function nextToken(token: { expiresAt: string }, wanted: object): Promise<Reserved> {
    await ended(token.expiresAt);
    return (await customer.agent('POST', reservePath(), wanted)).body;
  }

  async function ended(expiresAt: string): Promise<void> {
    await expect.poll(() => Date.now() > Date.parse(expiresAt), { timeout: 90_000, interval: 20 }).toBe(true);
  }
});

async function mapped({ importId }: Reserved): Promise<string> {
  const json = { version: 'svcimport.mapping.v1', revision: 1, columns: COLUMNS };
  await customer.agent('POST', `/imports/${importId}/mapping`, json);
  return importId;
}

/** An upload whose bytes the test sends itself. */
function openUpload({ uploadUrl, uploadToken }: Reserved, headers: Record<string, string> = {}) {
  const upload = httpRequest(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${uploadToken}`, ...headers },
  });
  upload.on('error', () => undefined);
  return upload;
}
