import { sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { importStatusSchema } from '../../../../schemas/imports/http.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { Browser } from './browser.fixture.ts';
import { ImportsCustomer, mapping } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

/** Stands in the header, in good cells, in bad cells: in everything that is private. */
const MARKER = 'm4rk3r';
const FIELDS = [
  { key: 'name', type: 'text', required: true },
  { key: 'amount', type: 'integer', required: false },
];
const COLUMNS = [
  { source: `${MARKER} name`, target: 'name' },
  { source: `${MARKER} amount`, target: 'amount' },
];
const HEADER = `${MARKER} name,${MARKER} amount`;
/** Long rows, so that they lie on many pages of the file. */
const GOOD = Array.from({ length: 900 }, (_, row) => `${MARKER} ${row} ${'x'.repeat(800)},${row}`);
const BAD = Array.from({ length: 300 }, (_, row) => `${MARKER} ${row},${MARKER}`);

/** The first byte of a packed artifact. */
const PACKED = '\u0001';

const csv = (rows: readonly string[]) => Buffer.from([HEADER, ...rows, ''].join('\n'));
const WAIT = { timeout: 90_000, interval: 20 };

let service: ServiceInProcess;
let customer: ImportsCustomer<ServiceInProcess>;
let capability = '';
/** An approved import, one with errors, one that was mapped twice, one from a page; all of them full of the marker. */
let importIds: string[] = [];
/** Bytes from the middle of packed artifacts, in which a search for the marker finds nothing. */
let samples: Buffer[] = [];

beforeEach(async () => {
  service = await ServiceInProcess.start({ limits: ROOMY_LIMITS });
  customer = await ImportsCustomer.of(service, FIELDS);
  capability = await customer.newCapability();
  const approved = await customer.approved(csv(GOOD), COLUMNS);
  const faulty = await customer.uploaded(csv(BAD), COLUMNS);
  await customer.validated(faulty);
  const twice = await customer.uploaded(csv(GOOD), COLUMNS);
  await customer.validated(twice);
  await customer.agent('POST', `/imports/${twice}/mapping`, mapping(2, COLUMNS.slice(0, 1)));
  const browser = await Browser.open(customer, capability);
  const fromPage = await browser.uploaded(csv(BAD), COLUMNS);
  await browser.validated(fromPage);
  importIds = [approved, faulty, twice, fromPage];
  samples = await samplesOfArtifacts();
});

afterEach(async () => {
  await service.dispose();
});

const blobs = async () =>
  (await Promise.all(importIds.map((importId) => customer.blobNames(importId)))).flat();

async function samplesOfArtifacts(): Promise<Buffer[]> {
  const texts = (await (await customer.stored()).texts()).get('blobs') ?? [];
  const parts = texts
    .filter((text) => text.startsWith(PACKED) && text.length >= 100)
    .map((text) => text.slice(text.length / 2 - 20, text.length / 2 + 20));
  return [...new Set(parts)].map((part) => Buffer.from(part, 'latin1'));
}

/** Nothing private is left: not in the store, the log, the look-ups, the blobs, nor in any byte of any file. */
async function expectNothingLeft(): Promise<void> {
  await expect.poll(blobs, WAIT).toEqual([]);
  await service.stop();
  expect(await customer.placesHolding(MARKER)).toEqual([]);
  for (const wanted of [MARKER, ...samples]) expect(service.filesHolding(wanted)).toEqual([]);
  expect(service.output).not.toContain(MARKER);
}

/** About the file of the embedded engine, or about time, which only its clock lets pass. */
const itEmbedded = it.skipIf(isOnCluster());

const claim = async () => expect((await customer.owner('POST', '/claim', {})).status).toBe(200);

describe('private bytes', () => {
  itEmbedded('are in the files while they may be seen', async () => {
    expect((await blobs()).length).toBeGreaterThan(4);
    await service.stop();
    const places = service.filesHolding(MARKER).map((path) => path.split(sep)[0]);
    expect([...new Set(places)].sort()).toEqual(['blobs', 'engine.db']);
    expect(samples.length).toBeGreaterThan(5);
    for (const sample of samples) expect(service.filesHolding(sample)).toEqual(['engine.db']);
    expect(service.output).not.toContain(MARKER);
  });

  itEmbedded('are gone seven days after the upload, and the counts stay', async () => {
    await claim();
    await service.restartAfter(7 * DAY_MS - HOUR_MS);
    await customer.signIn();
    for (const importId of importIds.slice(1, 2)) {
      expect((await customer.owner('GET', `/imports/${importId}/rows?limit=1`)).status).toBe(200);
    }
    await service.restartAfter(HOUR_MS + MINUTE_MS + MINUTE_MS);
    await expect.poll(blobs, WAIT).toEqual([]);
    for (const importId of importIds) {
      const { body } = await customer.agent('GET', `/imports/${importId}`);
      expect(importStatusSchema.parse(body)).toMatchObject({ status: 'expired' });
      expect(refusal(await customer.owner('GET', `/imports/${importId}/rows`))).toEqual([410, 'expired']);
      expect(refusal(await customer.owner('GET', `/imports/${importId}/errors.csv`))).toEqual([
        410,
        'expired',
      ]);
    }
    const [approved] = importIds;
    const pull = await customer.backend(capability, 'GET', `/${approved}/batches?index=0`);
    expect(refusal(pull)).toEqual([410, 'expired']);
    await expectNothingLeft();
  });

  itEmbedded('are gone with the end of the preview', async () => {
    await service.restartAfter(72 * HOUR_MS + MINUTE_MS + MINUTE_MS);
    await expect.poll(blobs, WAIT).toEqual([]);
    expect(refusal(await customer.agent('GET', `/imports/${importIds[0]}`))).toEqual([410, 'expired']);
    await customer.signIn();
    const { body } = await customer.owner('GET', `/imports/${importIds[1]}`);
    expect(body).toMatchObject({ status: 'expired', headers: null, mapping: null });
    await expectNothingLeft();
  });

  it('are gone with a cancellation', async () => {
    for (const importId of importIds) {
      expect((await customer.owner('POST', `/imports/${importId}/cancel`, {})).status).toBe(200);
    }
    await expectNothingLeft();
  });

  it('are gone with an erasure, and so is everything else but the word of it', async () => {
    const reserved = await customer.reserve(csv(BAD));
    const [approved, faulty] = importIds;
    const path = `/imports/${faulty}`;
    const wrong = await customer.owner('POST', `${path}/erase`, { confirm: approved });
    expect(refusal(wrong)).toEqual([400, 'bad_request']);
    const { status, body } = await customer.owner('POST', `${path}/erase`, { confirm: faulty });
    expect(status).toBe(200);
    expect(importStatusSchema.parse(body)).toMatchObject({ importId: faulty, status: 'erased' });
    for (const importId of [...importIds, reserved.importId]) {
      await customer.owner('POST', `/imports/${importId}/erase`, { confirm: importId });
    }
    const answers = [
      await customer.owner('POST', `${path}/erase`, { confirm: faulty }),
      await customer.owner('GET', path),
      await customer.owner('GET', `${path}/rows`),
      await customer.owner('GET', `${path}/errors`),
      await customer.owner('GET', `${path}/errors.csv`),
      await customer.owner('POST', `${path}/cancel`, {}),
      await customer.agent('GET', path),
      await customer.agent('GET', `${path}/binding`),
      await customer.validate(faulty ?? ''),
      await customer.backend(capability, 'GET', `/${approved}`),
      await customer.backend(capability, 'GET', `/${approved}/batches?index=0`),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual([410, 'erased']);
    expect(refusal(await customer.upload(reserved, [csv(BAD)]))).toEqual([401, 'unauthorized']);
    expect((await customer.owner('GET', '/imports')).body.imports).toEqual([]);
    expect((await customer.backend(capability, 'GET', '')).body.imports).toEqual([]);
    expect((await customer.product()).body.limits.imports.used).toBe(5);
    await expectNothingLeft();
  });

  it('are gone with the erasure of the whole workspace', async () => {
    await claim();
    await customer.owner('POST', '/disconnect', { confirm: 'Orders' });
    expect((await customer.owner('POST', '/erase', { confirm: 'Orders' })).status).toBe(200);
    await expectNothingLeft();
  });
});
