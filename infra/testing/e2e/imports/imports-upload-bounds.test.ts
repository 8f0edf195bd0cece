import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer, type Reserved, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const FILE = Buffer.from('code\n1\n2\n');
const UPLOAD_MS = 300;
const UPLOADS_PER_MINUTE = 7;

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, {
    limits: {
      ...ROOMY_LIMITS,
      imports: { uploadMs: UPLOAD_MS },
      http: { ...ROOMY_LIMITS.http, uploadsPerMinute: UPLOADS_PER_MINUTE },
    },
  });
});

afterAll(async () => {
  await customer.service.dispose();
});

it.each([
  ['announces its length', { 'Content-Length': String(FILE.length) }],
  ['does not', { 'Transfer-Encoding': 'chunked' }],
])(
  'answers 503 to an upload that stalls and %s; the token takes the file afterwards',
  async (_what, headers) => {
    const neighbour = await customer.another(FIELDS);
    const reserved = await neighbour.reserve(FILE);
    const upload = openUpload(reserved, headers);
    upload.write(FILE.subarray(0, 6));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
    expect([response.statusCode, body.error.code]).toEqual([503, 'unavailable']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(body.error.message).toContain('2048 bytes a second');
    upload.destroy();
    await expect.poll(() => neighbour.blobNames(reserved.importId), SOON).toEqual([]);
    expect(await neighbour.upload(reserved, [FILE])).toMatchObject({ status: 200 });
  },
);

it('bounds the uploads that follow the one that was taken', async () => {
  const neighbour = await customer.another(FIELDS);
  const reserved = await neighbour.reserve(FILE);
  const taken = await neighbour.upload(reserved, [FILE]);
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    expect((await neighbour.upload(reserved, [FILE]))?.body).toEqual(taken?.body);
  }
  expect(refusal(await neighbour.upload(reserved, [FILE]))).toEqual([429, 'limit_reached']);
  await expect.poll(() => neighbour.blobNames(reserved.importId), SOON).toHaveLength(1);
});

it('counts no attempt that was refused before it wrote', async () => {
  const neighbour = await customer.another(FIELDS);
  const reserved = await neighbour.reserve(FILE);
  for (let count = 0; count < 5; count += 1) {
    const upload = openUpload(reserved, { 'Content-Length': '300000', Expect: '100-continue' });
    upload.flushHeaders();
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    upload.destroy();
  }
  expect(await neighbour.upload(reserved, [FILE])).toMatchObject({ status: 200 });
});

it('bounds the uploads of an installation in a minute, over all imports', async () => {
  const neighbour = await customer.another(FIELDS);
  const answers = [];
  for (let count = 0; count <= UPLOADS_PER_MINUTE; count += 1) {
    answers.push(await neighbour.upload(await neighbour.reserve(FILE), [FILE]));
  }
  const last = answers.pop();
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 200));
  expect(refusal(last ?? null)).toEqual([429, 'rate_limited']);
  const other = await customer.another(FIELDS);
  expect(await other.upload(await other.reserve(FILE), [FILE])).toMatchObject({ status: 200 });
});

/** An upload whose bytes the test sends itself. */
function openUpload({ uploadUrl, uploadToken }: Reserved, headers: Record<string, string>) {
  const upload = httpRequest(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${uploadToken}`, ...headers },
  });
  upload.on('error', () => undefined);
  return upload;
}
