import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Received, refusal } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, SOON } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMN = { source: 'a', target: 'code' };
const FILE = Buffer.from(`a,b\n${'1,2\n'.repeat(150)}`);
const ROUNDS = 10;

let customer: ImportsCustomer;
let capability = '';

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
  capability = await customer.newCapability();
});

afterAll(async () => {
  await customer.service.dispose();
});

/** Reads private bytes in every way, over and over, until the change is answered, and then once more. */
async function readDuring(importId: string, change: () => Promise<Received>): Promise<Received[]> {
  const reads = [
    () => customer.batch(capability, importId, 1),
    () => customer.owner('GET', `/imports/${importId}/rows?cursor=100`),
    () => customer.owner('GET', `/imports/${importId}/errors`),
    () => customer.owner('GET', `/imports/${importId}`),
  ];
  const answers: Received[] = [];
  let changed = false;
  const readers = reads.map(async (read) => {
    while (!changed) answers.push(await read());
    answers.push(await read());
  });
  answers.push(await change());
  changed = true;
  await Promise.all(readers);
  return answers;
}

it.each([
  [
    'mapped again',
    [200, 409],
    (importId: string) =>
      customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, [{ ...COLUMN, source: 'b' }])),
  ],
  ['cancelled', [200, 410], (importId: string) => customer.owner('POST', `/imports/${importId}/cancel`, {})],
])('answers every read of an import while it is %s', async (_what, statuses, change) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const importId = await customer.approved(FILE, [COLUMN]);
    const answers = await readDuring(importId, () => change(importId));
    expect(answers.filter(({ status }) => !statuses.includes(status)).map(({ body }) => body)).toEqual([]);
    expect(new Set(answers.map(({ status }) => status)).size).toBe(2);
  }
});

it('answers every mapping and validation of an import while it is cancelled', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const importId = await customer.uploaded(FILE, [COLUMN]);
    const answers = await Promise.all([
      ...[1, 2, 3].map(() =>
        customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, [{ ...COLUMN, source: 'b' }])),
      ),
      customer.agent('POST', `/imports/${importId}/cancel`, {}),
      customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, [{ ...COLUMN, source: 'b' }])),
      customer.validate(importId),
    ]);
    expect(answers.filter(({ status }) => ![200, 202, 409, 410].includes(status))).toEqual([]);
    await expect.poll(() => customer.blobNames(importId), SOON).toEqual([]);
  }
});

it('keeps the header names of a mapping that is sent again and refused', async () => {
  const importId = await customer.uploaded(FILE, [COLUMN]);
  const shown = async () => (await customer.owner('GET', `/imports/${importId}`)).body;
  const { columns } = (await shown()).mapping;
  const refused = await customer.agent('POST', `/imports/${importId}/mapping`, mapping(3, [COLUMN]));
  expect(refusal(refused)).toEqual([409, 'revision_conflict']);
  // The answer comes before the refused one's bytes go.
  await expect.poll(async () => await namesOfMappings(importId), SOON).toHaveLength(1);
  expect(await customer.owner('GET', `/imports/${importId}`)).toMatchObject({ status: 200 });
  expect((await shown()).mapping.columns).toEqual(columns);
});

async function namesOfMappings(importId: string): Promise<string[]> {
  return (await customer.blobNames(importId)).filter((name) => name.includes('mapping/'));
}
