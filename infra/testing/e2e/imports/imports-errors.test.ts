import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { errorListSchema, errorPlacesSchema, rowListSchema } from '../../../../schemas/imports/row-http.ts';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true, maxLength: 5 },
  { key: 'count', type: 'integer', required: false },
  { key: 'price', type: 'decimal', required: false, precision: 5, scale: 2 },
  { key: 'day', type: 'date', required: false, format: 'DD/MM/YYYY' },
  { key: 'active', type: 'boolean', required: false },
];
/** The file's columns stand in the opposite order, so that the order of errors is the schema's and not the file's. */
const HEADER = 'Note,Active?,Day,Price,Count,Code';
const COLUMNS = [
  { source: 'Active?', target: 'active' },
  { source: 'Day', target: 'day' },
  { source: 'Price', target: 'price' },
  { source: 'Count', target: 'count' },
  { source: 'Code', target: 'code' },
];

const csv = (rows: readonly string[]) => Buffer.from(`${[HEADER, ...rows].join('\n')}\n`);

const long = (bytes: number) => 'x'.repeat(bytes);

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
});

afterAll(async () => {
  await customer.service.dispose();
});

async function validated(rows: readonly string[]) {
  const importId = await customer.uploaded(csv(rows), COLUMNS);
  return { importId, status: await customer.validated(importId) };
}

async function errorPage(importId: string, query = ''): Promise<z.infer<typeof errorListSchema>> {
  return errorListSchema.parse((await customer.owner('GET', `/imports/${importId}/errors${query}`)).body);
}

async function placesPage(importId: string, query = ''): Promise<z.infer<typeof errorPlacesSchema>> {
  return errorPlacesSchema.parse((await customer.agent('GET', `/imports/${importId}/errors${query}`)).body);
}

async function rowPage(importId: string, query = ''): Promise<z.infer<typeof rowListSchema>> {
  return rowListSchema.parse((await customer.owner('GET', `/imports/${importId}/rows${query}`)).body);
}

describe('the errors of one row', () => {
  it.each([
    ['no value', ',,,,,', [['code', 'required', 'Code', '']]],
    ['a quoted empty one', ',,,,,""', [['code', 'required', 'Code', '']]],
    ['six characters', ',,,,,abcdef', [['code', 'too_long', 'Code', 'abcdef']]],
    ['a leading zero', ',,,,007,a', [['count', 'not_integer', 'Count', '007']]],
    ['an exponent', ',,,,1e5,a', [['count', 'not_integer', 'Count', '1e5']]],
    ['a space', ',,,, 1,a', [['count', 'not_integer', 'Count', ' 1']]],
    ['a decimal comma', ',,,"1,5",,a', [['price', 'not_decimal', 'Price', '1,5']]],
    ['a digit too many', ',,,1234.56,,a', [['price', 'out_of_range', 'Price', '1234.56']]],
    ['two digits too many', ',,,12345,,a', [['price', 'out_of_range', 'Price', '12345']]],
    ['three digits behind the point', ',,,1.234,,a', [['price', 'out_of_range', 'Price', '1.234']]],
    ['31 February', ',,31/02/2024,,,a', [['day', 'not_date', 'Day', '31/02/2024']]],
    ['29 February of no leap year', ',,29/02/2023,,,a', [['day', 'not_date', 'Day', '29/02/2023']]],
    ['a year of two digits', ',,01/02/24,,,a', [['day', 'not_date', 'Day', '01/02/24']]],
    ['TRUE', ',TRUE,,,,a', [['active', 'not_boolean', 'Active?', 'TRUE']]],
    ['a field too few', ',,,,a', [[null, 'column_count', null, null]]],
    ['a field too many', ',,,,,a,', [[null, 'column_count', null, null]]],
    [
      'a field too many and a large one',
      `,,,,,a,${long(16_385)}`,
      [
        [null, 'column_count', null, null],
        [null, 'field_too_large', null, null],
      ],
    ],
    ['a large field', `${long(16_385)},,,,,a`, [[null, 'field_too_large', null, null]]],
    ['a large record', `${`${long(16_000)},`.repeat(5)}a`, [[null, 'record_too_large', null, null]]],
    [
      'one in every field',
      ',yes,2024,1.,x,abcdef',
      [
        ['code', 'too_long', 'Code', 'abcdef'],
        ['count', 'not_integer', 'Count', 'x'],
        ['price', 'not_decimal', 'Price', '1.'],
        ['day', 'not_date', 'Day', '2024'],
        ['active', 'not_boolean', 'Active?', 'yes'],
      ],
    ],
  ])('are told all and in the order of the schema: %s', async (_what, row, expected) => {
    const { importId, status } = await validated([',,,,,ok', '', row]);
    expect(status).toMatchObject({
      status: 'needs_correction',
      rows: { total: 3, valid: 1, invalid: 1, blank: 1 },
      batchCount: 0,
    });
    const { errors, total } = await errorPage(importId);
    expect(errors.map(({ column, code, source, value }) => [column, code, source, value])).toEqual(expected);
    expect(errors.every((error) => error.row === 2 && error.line === 4)).toBe(true);
    expect(total).toBe(expected.length);
  });

  it('say what is allowed, and to an agent not what was seen', async () => {
    const { importId, status } = await validated([',,,,seen-value,a', ',,,a']);
    const { errors } = await errorPage(importId);
    expect(errors[0]?.message).toContain('Allowed: a whole number');
    expect(errors[1]?.message).toContain('Expected 6, found 4');
    expect(errors.every(({ message }) => !message.includes('seen-value'))).toBe(true);
    expect(status.errorCounts).toEqual([
      { column: null, code: 'column_count', count: 1 },
      { column: 'count', code: 'not_integer', count: 1 },
    ]);
    expect(JSON.stringify(status)).not.toContain('seen-value');
  });

  it('tell a large field that is mapped by its column, besides what else is wrong with it', async () => {
    const { importId } = await validated([`,,,,,${long(16_385)}`, `,,,,,${long(16_384)}`]);
    const { errors } = await errorPage(importId);
    expect(errors.map(({ row, column, code }) => [row, column, code])).toEqual([
      [1, 'code', 'field_too_large'],
      [1, 'code', 'too_long'],
      [2, 'code', 'too_long'],
    ]);
  });
});

describe('the errors of a file', () => {
  it('are kept up to the first 1,000 and counted to the last', async () => {
    const { importId, status } = await validated(Array.from({ length: 1_000 }, () => ',no,,,x,'));
    const counts = ['active', 'code', 'count'].map((column, index) => ({
      column,
      code: ['not_boolean', 'required', 'not_integer'][index],
      count: 1_000,
    }));
    expect(status).toMatchObject({ rows: { total: 1_000, valid: 0, invalid: 1_000 }, errorCounts: counts });
    const listed = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const page = await errorPage(importId, `?limit=100&cursor=${cursor}`);
      expect(page).toMatchObject({ total: 3_000, counts });
      listed.push(...page.errors);
      cursor = page.nextCursor;
    }
    expect(listed.map(({ row, column }) => `${row} ${column}`)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => {
        return `${Math.floor(index / 3) + 1} ${['code', 'count', 'active'][index % 3]}`;
      }),
    );
  });

  it('come in pages of any size, each once', async () => {
    const rows = Array.from({ length: 230 }, (_, row) => (row % 3 === 0 ? ',,,,,' : ',,,,,ok'));
    const { importId } = await validated(rows);
    const listed: number[] = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const page = await errorPage(importId, `?limit=7&cursor=${cursor}`);
      expect(page.errors.length).toBeLessThanOrEqual(7);
      listed.push(...page.errors.map(({ row }) => row));
      cursor = page.nextCursor;
    }
    expect(listed).toEqual(rows.flatMap((row, index) => (row.endsWith('ok') ? [] : [index + 1])));
    expect((await errorPage(importId, '?cursor=5000')).errors).toEqual([]);
  });

  it('have lines for an agent, and neither names of the header nor cells', async () => {
    const { importId } = await validated([
      ',,,,,ok',
      '',
      ',,,,seen-value,a',
      '"two\nlines",,,,,toolong',
      ',,,a',
    ]);
    const owners = await errorPage(importId);
    const { errors, ...page } = await placesPage(importId);
    expect(errors.map(({ row, line, column, code }) => [row, line, column, code])).toEqual([
      [2, 4, 'count', 'not_integer'],
      [3, 5, 'code', 'too_long'],
      [4, 7, null, 'column_count'],
    ]);
    expect({ ...page, errors }).toEqual({
      ...owners,
      errors: owners.errors.map(({ source: _name, value: _cell, ...place }) => place),
    });
    expect(JSON.stringify(errors)).not.toMatch(/seen-value|toolong|Count|Code/);
  });

  it('come to an agent in pages of any size, up to those that are kept', async () => {
    const { importId } = await validated(Array.from({ length: 700 }, () => ',no,,,,'));
    const listed: string[] = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const page = await placesPage(importId, `?limit=97&cursor=${cursor}`);
      listed.push(...page.errors.map(({ line, column }) => `${line} ${column}`));
      expect(page.total).toBe(1_400);
      cursor = page.nextCursor;
    }
    const columns = ['code', 'active'];
    expect(listed).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `${Math.floor(index / 2) + 2} ${columns[index % 2]}`),
    );
  });

  it('are refused to an agent before a validation, and for another workspace', async () => {
    const importId = await customer.uploaded(csv([',,,,,ok']), COLUMNS);
    const early = await customer.agent('GET', `/imports/${importId}/errors`);
    expect(refusal(early)).toEqual([409, 'state_conflict']);
    const other = await customer.another(FIELDS);
    expect(refusal(await other.agent('GET', `/imports/${importId}/errors`))).toEqual([404, 'not_found']);
  });

  it('are none of an import that is valid', async () => {
    const { importId, status } = await validated([',true,29/02/2024,-0.50,-12,abcde']);
    expect(status).toMatchObject({ status: 'ready', errorCounts: [] });
    const none = { errors: [], counts: [], total: 0, nextCursor: null };
    expect([await errorPage(importId), await placesPage(importId)]).toEqual([none, none]);
    expect((await rowPage(importId)).rows[0]?.values).toEqual({
      code: 'abcde',
      count: '-12',
      price: '-0.50',
      day: '2024-02-29',
      active: true,
    });
  });
});

describe('the rows of a file with more errors than are kept', () => {
  const MANY = Array.from({ length: 30 }, (_, index) => ({
    key: `f${index}`,
    type: 'integer',
    required: false,
  }));
  const NAMES = MANY.map(({ key }) => key);

  it('have one error each at least, say how many more there are, and are found by any of them', async () => {
    const other = await customer.another(MANY);
    const bad = NAMES.map(() => 'x').join(',');
    const lines = Array.from({ length: 99 }, () => bad);
    // The only row whose last field is sound, and one that fails as a whole.
    lines[70] = `${NAMES.slice(1)
      .map(() => 'x')
      .join(',')},1`;
    const file = Buffer.from(`${[NAMES.join(','), ...lines, 'x'].join('\n')}\n`);
    const importId = await other.uploaded(
      file,
      NAMES.map((key) => ({ source: key, target: key })),
    );
    const status = await other.validated(importId);
    const total = 99 * 30 - 1 + 1;
    const counted = status.errorCounts.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect([status.rows.invalid, counted]).toEqual([100, total]);
    const find = async (query: string) => {
      const { body } = await other.owner('GET', `/imports/${importId}/rows?limit=100&${query}`);
      return rowListSchema.parse(body).rows;
    };
    const rows = await find('filter=invalid');
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, row) => row + 1));
    expect(rows.every(({ errors }) => errors.length > 0)).toBe(true);
    expect(rows.reduce((sum, { errors, moreErrors }) => sum + errors.length + moreErrors, 0)).toBe(total);
    expect(rows[0]).toMatchObject({ errors: NAMES.map((column) => ({ column })), moreErrors: 0 });
    expect(rows[98]).toMatchObject({ errors: [{ column: 'f0', code: 'not_integer' }], moreErrors: 29 });
    const without = (...gone: number[]) => rows.map(({ row }) => row).filter((row) => !gone.includes(row));
    const numbers = async (query: string) => (await find(query)).map(({ row }) => row);
    expect(await numbers('field=f0')).toEqual(without(100));
    expect(await numbers('field=f29')).toEqual(without(71, 100));
    expect(await numbers('code=column_count')).toEqual([100]);
    expect(await numbers('field=f29&code=required')).toEqual([]);
    const { body } = await other.owner('GET', `/imports/${importId}/errors?limit=100&cursor=950`);
    expect(errorListSchema.parse(body)).toMatchObject({ total, nextCursor: null });
    expect(body.errors).toHaveLength(50);
    expect(body.errors.at(-1)).toMatchObject({ row: 34, column: 'f9' });
    expect(JSON.stringify(await other.agent('GET', `/imports/${importId}`))).not.toContain('message');
  });
});

describe('the rows', () => {
  it('can be narrowed to what is valid, to a field and to a code', async () => {
    const rows = Array.from({ length: 350 }, (_, row) => `,,,,${row === 120 || row === 340 ? 'x' : row},a`);
    rows[121] = ',,,,,';
    rows[122] = ',,,,,a,';
    rows[340] = ',,,,x,';
    const { importId } = await validated(rows);
    const numbers = async (query: string) => {
      const found: number[] = [];
      for (let cursor: string | null = '0'; cursor !== null; ) {
        const page = await rowPage(importId, `?${query}&cursor=${cursor}&limit=50`);
        found.push(...page.rows.map(({ row }) => row));
        cursor = page.nextCursor;
      }
      return found;
    };
    const invalid = [121, 122, 123, 341];
    const all = Array.from({ length: 350 }, (_, row) => row + 1);
    expect(await numbers('filter=all')).toEqual(all);
    expect(await numbers('filter=invalid')).toEqual(invalid);
    expect(await numbers('filter=valid')).toEqual(all.filter((row) => !invalid.includes(row)));
    expect(await numbers('field=count')).toEqual([121, 341]);
    expect(await numbers('code=required')).toEqual([122, 341]);
    expect(await numbers('field=code&code=required')).toEqual([122, 341]);
    expect(await numbers('field=count&code=required')).toEqual([]);
    expect(await numbers('filter=invalid&code=column_count')).toEqual([123]);
    expect(await numbers('filter=valid&field=count')).toEqual([]);
    expect(await numbers('field=constructor')).toEqual([]);
  });

  it('show the cells as they stand, and none of a record that is too large', async () => {
    const wide = Array.from({ length: 150 }, (_, column) => `${column}`);
    const { importId } = await validated([
      ' a ,,,,1,x',
      `${`${long(16_000)},`.repeat(5)}a`,
      ',,,,a',
      wide.join(','),
    ]);
    const { rows } = await rowPage(importId);
    expect(rows.map(({ source }) => source)).toEqual([
      [' a ', '', '', '', '1', 'x'],
      null,
      ['', '', '', '', 'a'],
      wide,
    ]);
    expect(rows.map(({ values }) => values === null)).toEqual([false, true, true, true]);
  });

  it('are there once the import is validated', async () => {
    const importId = await customer.uploaded(csv([',,,,,a']), COLUMNS);
    for (const view of ['rows', 'errors']) {
      expect(refusal(await customer.owner('GET', `/imports/${importId}/${view}`))).toEqual([
        409,
        'state_conflict',
      ]);
    }
    await customer.validated(importId);
    for (const query of ['?filter=some', '?code=other', '?limit=101', '?cursor=-1', '?column=code']) {
      expect(refusal(await customer.owner('GET', `/imports/${importId}/rows${query}`))).toEqual([
        400,
        'bad_request',
      ]);
    }
  });
});
