import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionSchema } from '../../../../schemas/imports/delivery-http.ts';
import { importListSchema, reservationSchema } from '../../../../schemas/imports/http.ts';
import { refusal } from '../customer.fixture.ts';
import { Browser } from './browser.fixture.ts';
import { ImportsCustomer } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  {
    key: 'code',
    type: 'text',
    required: true,
    label: 'Order code',
    description: 'As on the invoice.',
    aliases: ['Bestellnummer', '注文番号'],
    example: 'A-1',
  },
];
const FILE = Buffer.from('Bestellnummer\nA-1\n');
const CHANGES = [{ kind: 'separator' }, { kind: 'edited', column: 'code', cells: 2 }];

let customer: ImportsCustomer;
let path = '';

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
  path = `/schemas/${customer.schemaId}/imports`;
});

afterAll(() => customer?.service.dispose());

describe('the changes of a reservation', () => {
  it('are in the answers about the import, and part of what a repeat has to have', async () => {
    const wanted = { ...customer.reservation(FILE), changes: CHANGES };
    const { importId } = reservationSchema.parse((await customer.agent('POST', path, wanted)).body);
    expect((await customer.agent('GET', `/imports/${importId}`)).body).toMatchObject({ changes: CHANGES });
    const { imports } = importListSchema.parse((await customer.agent('GET', '/imports')).body);
    expect(imports).toMatchObject([{ importId, changes: CHANGES }]);
    const { changes: _, ...without } = wanted;
    const others = {
      ...wanted,
      changes: [{ kind: 'separator' }, { kind: 'edited', column: 'code', cells: 3 }],
    };
    for (const repeat of [without, others]) {
      expect(refusal(await customer.agent('POST', path, repeat))).toEqual([409, 'idempotency_conflict']);
    }
    expect((await customer.agent('POST', path, wanted)).body).toMatchObject({ importId });
  });

  it.each([
    ['an unknown kind', [{ kind: 'guessed' }]],
    ['a value', [{ kind: 'edited', value: 'a' }]],
    ['the name of a column of the file', [{ kind: 'edited', column: '注文番号' }]],
    ['a key of no field', [{ kind: 'edited', column: 'Bestellnummer' }]],
    ['a count below 0', [{ kind: 'edited', cells: -1 }]],
    ['more than 200 changes', Array(201).fill({ kind: 'edited' })],
  ])('are refused with %s', async (_name, changes) => {
    const wanted = { ...customer.reservation(FILE), changes };
    expect(refusal(await customer.agent('POST', path, wanted))).toEqual([400, 'bad_request']);
  });
});

describe('the texts of fields', () => {
  it('are read by the page that maps a file, and make another revision of the schema', async () => {
    const browser = await Browser.open(customer, await customer.newCapability());
    expect(sessionSchema.parse((await browser.send('GET', '')).body).fields).toEqual(FIELDS);
    const revise = (fields: readonly object[]) =>
      customer.agent('POST', `/schemas/${customer.schemaId}`, customer.configuration(2, fields));
    const renamed = FIELDS.map((field) => ({ ...field, label: 'Number' }));
    expect((await revise(renamed)).body).toMatchObject({ revision: 2 });
  });
});
