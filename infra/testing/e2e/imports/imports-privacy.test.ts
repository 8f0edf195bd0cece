import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import type { Received } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

/** Stands in every header name and cell of the files here, and nowhere else. */
const MARKER = 'Zq7Marker';
const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'amount', type: 'integer', required: false },
];
const NAME = `${MARKER} name`;
const AMOUNT = `${MARKER} amount`;
const CODE_COLUMN = { source: NAME, target: 'code' };
const AMOUNT_COLUMN = { source: AMOUNT, target: 'amount' };
const FILE = Buffer.from(`${NAME},${AMOUNT}\n${MARKER} one,1\n${MARKER} two,${MARKER}\n`);

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, {
    limits: ROOMY_LIMITS,
    environment: { LOG_LEVEL: 'debug' },
  });
});

afterAll(async () => {
  await customer.service.dispose();
});

/** Everything that an agent is answered about an import, in whatever state it is. */
async function looks(importId: string): Promise<Received[]> {
  return [
    await customer.agent('GET', `/imports/${importId}`),
    await customer.agent('GET', `/imports/${importId}/binding`),
    await customer.agent('GET', `/imports/${importId}/errors`),
    await customer.agent('GET', '/schemas'),
    await customer.product(),
  ];
}

/** Mappings that are wrong in every way that names a column. */
async function wrongMappings(importId: string): Promise<Received[]> {
  const other = { source: `${MARKER} other`, target: 'amount' };
  const wrong: readonly (readonly object[])[] = [
    [CODE_COLUMN, other],
    [CODE_COLUMN, { source: NAME, target: 'amount' }],
    [CODE_COLUMN, { source: AMOUNT, target: 'code' }],
    [AMOUNT_COLUMN],
    [CODE_COLUMN, { source: AMOUNT, target: MARKER }],
    [CODE_COLUMN, { source: AMOUNT, target: `${MARKER} amount` }],
    [CODE_COLUMN, { source: [AMOUNT], target: 'amount' }],
    [CODE_COLUMN, { source: MARKER.repeat(2_000), target: 'amount' }],
  ];
  const answers = [];
  for (const columns of wrong) {
    answers.push(await customer.agent('POST', `/imports/${importId}/mapping`, mapping(1, columns)));
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  return answers;
}

describe('names and values of a file', () => {
  it('are in no answer to an agent and in no error, in whatever state the import is', async () => {
    const reserved = await customer.reserve(FILE);
    const { importId } = reserved;
    const answers: (Received | null)[] = [];
    answers.push(await customer.upload(reserved, [Buffer.from(FILE).reverse()]));
    answers.push(await customer.upload(reserved, [FILE.subarray(1)]));
    answers.push(await customer.upload(reserved, [FILE]));
    answers.push(...(await wrongMappings(importId)), ...(await looks(importId)));
    const map = (revision: number, columns: readonly object[]) =>
      customer.agent('POST', `/imports/${importId}/mapping`, mapping(revision, columns));
    answers.push(
      await map(1, [CODE_COLUMN, AMOUNT_COLUMN]),
      await map(1, [CODE_COLUMN]),
      await map(3, [CODE_COLUMN]),
    );
    answers.push(await customer.validate(importId));
    expect((await customer.settled(importId)).status).toBe('needs_correction');
    answers.push(...(await looks(importId)), await map(2, [CODE_COLUMN]));
    expect((await customer.validated(importId)).status).toBe('ready');
    answers.push(...(await looks(importId)), await customer.approve(importId));
    const capability = await customer.newCapability();
    answers.push(await customer.acknowledge(capability, importId, sha256Hex('other'), []));
    answers.push(await customer.batch(capability, importId, 9));
    await customer.acknowledgeAll(capability, importId);
    answers.push(...(await looks(importId)), await customer.owner('POST', `/imports/${importId}/cancel`, {}));
    answers.push(...(await looks(importId)), await map(3, [CODE_COLUMN]));
    expect(answers.length).toBeGreaterThan(30);
    expect(
      JSON.stringify(answers.map((answer) => [answer?.body, [...(answer?.headers ?? [])]])),
    ).not.toContain(MARKER);
  });

  it('are in no answer about a file that cannot be read', async () => {
    const file = Buffer.from(`${NAME},${NAME}\n${MARKER},1\n`);
    const reserved = await customer.reserve(file);
    const uploaded = await customer.upload(reserved, [file]);
    expect(uploaded?.body.status).toBe('failed');
    expect(JSON.stringify(uploaded?.body)).not.toContain(MARKER);
    expect(JSON.stringify(await looks(reserved.importId))).not.toContain(MARKER);
    const { body } = await customer.owner('GET', `/imports/${reserved.importId}`);
    expect(JSON.stringify(body)).not.toContain(MARKER);
  });

  it('are stored in blobs alone, and in no log, also by their digest', async () => {
    const importId = await customer.approved(Buffer.from(`${NAME}\n${MARKER} one\n`), [CODE_COLUMN]);
    const { body } = await customer.batch(await customer.newCapability(), importId, 0);
    expect(await customer.placesHolding(MARKER)).toEqual(['blobs']);
    expect(customer.service.output).not.toContain(MARKER);
    for (const rowId of body.manifest.rowIds) {
      expect(await customer.placesHolding(rowId)).toEqual([]);
      expect(customer.service.output).not.toContain(rowId);
    }
    for (const guess of [sha256Hex(NAME), sha256Hex(`${MARKER} one`)]) {
      expect(await customer.placesHolding(guess)).toEqual([]);
    }
  });

  it('go from the blobs as well when every import is cancelled', async () => {
    const { body } = await customer.owner('GET', '/imports?limit=100');
    for (const { importId, status } of body.imports) {
      if (status !== 'cancelled') await customer.owner('POST', `/imports/${importId}/cancel`, {});
    }
    await expect.poll(() => customer.placesHolding(MARKER), SOON).toEqual([]);
  });

  it('are in no log when a path or a header is made of them', async () => {
    await customer.send('GET', `/v1/${MARKER}?name=${MARKER}`, { bearer: MARKER });
    await customer.agent('GET', `/imports/${MARKER}`);
    await customer.owner('GET', `/imports?status=${MARKER}`);
    expect(customer.service.output).not.toContain(MARKER);
  });

  it('show the name of the file to the owner alone, until the import is cancelled', async () => {
    const fileName = `${MARKER} of März.csv`;
    const reservation = { ...customer.reservation(FILE), fileName };
    const path = `/schemas/${customer.schemaId}/imports`;
    const first = await customer.agent('POST', path, reservation);
    expect(first.status).toBe(201);
    const { importId } = first.body;
    expect((await customer.agent('POST', path, { ...reservation, fileName: 'other.csv' })).status).toBe(201);
    const nameOf = async () => (await customer.owner('GET', `/imports/${importId}`)).body.fileName;
    expect(await nameOf()).toBe('other.csv');
    await customer.agent('POST', path, reservation);
    expect(await nameOf()).toBe(fileName);
    const { body } = await customer.owner('GET', '/imports');
    const listed = body.imports.find((one: { readonly importId: string }) => one.importId === importId);
    expect(listed.fileName).toBe(fileName);
    expect(JSON.stringify(await looks(importId))).not.toContain(MARKER);
    expect(await customer.placesHolding(MARKER)).toEqual(['blobs']);
    expect(customer.service.output).not.toContain(MARKER);
    await customer.owner('POST', `/imports/${importId}/cancel`, {});
    expect(await nameOf()).toBeNull();
  });

  it('keep the name of a file that failed', async () => {
    const file = Buffer.from('a,a\n1,2\n');
    const reservation = { ...customer.reservation(file), fileName: 'twice.csv' };
    const reserved = await customer.agent('POST', `/schemas/${customer.schemaId}/imports`, reservation);
    expect((await customer.upload(reserved.body, [file]))?.body.status).toBe('failed');
    const { body } = await customer.owner('GET', `/imports/${reserved.body.importId}`);
    expect([body.status, body.fileName]).toEqual(['failed', 'twice.csv']);
  });
});
