import { parseString } from '@fast-csv/parse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchAnswerSchema } from '../../../../schemas/imports/delivery-http.ts';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'name', type: 'text', required: true },
  { key: 'amount', type: 'decimal', required: true },
];
const COLUMNS = [
  { source: '=Name', target: 'name' },
  { source: 'Amount', target: 'amount' },
];

const HOSTILE = [
  '=HYPERLINK("https://evil.example","x")',
  '+1',
  '-1+cmd|x',
  '@SUM(A1)',
  '\ttab',
  '\uFEFF=1',
  ' \n=1',
  '＝1',
  '-5',
  'a;=1\t+1',
];

const HOSTILE_SHOWN = [
  `'=HYPERLINK("https://evil.example","x")`,
  "'+1",
  "'-1+cmd|x",
  "'@SUM(A1)",
  "'\ttab",
  "'\uFEFF=1",
  "' \n'=1",
  "'＝1",
  '-5',
  "a;'=1\t'+1",
];

/** Fewer than there are errors. */
const ERRORS_KEPT = 100;

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const csv = (rows: readonly (readonly string[])[]) =>
  Buffer.from([['=Name', 'Amount'], ...rows].map((row) => `${row.map(quote).join(',')}\n`).join(''));

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, {
    limits: { ...ROOMY_LIMITS, imports: { rowErrorsKept: ERRORS_KEPT } },
  });
});

afterAll(async () => {
  await customer.service.dispose();
});

/** The downloaded file, and what it holds. */
async function download(importId: string, of = customer) {
  const path = `/v1/console/workspaces/${of.workspaceId}/imports/${importId}/errors.csv`;
  const response = await fetch(new URL(path, of.service.url), { headers: { Cookie: of.cookie } });
  const text = await response.text();
  const rows = await parsed(text);
  return { headers: response.headers, text, header: rows[0] ?? [], rows: rows.slice(1) };
}

function parsed(text: string): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(text, { headers: false })
      .on('data', (row: string[]) => rows.push(row))
      .on('error', reject)
      .on('end', () => resolve(rows));
  });
}

describe('the rejected rows', () => {
  it('come as a file that no spreadsheet runs, with what is wrong with each', async () => {
    const bad = HOSTILE.map((name) => [name, 'none']);
    const importId = await customer.uploaded(csv([['good', '1'], ...bad, ['', '-5.50']]), COLUMNS);
    expect(await customer.validated(importId)).toMatchObject({ rows: { valid: 1, invalid: 11 } });
    const { headers, text, header, rows } = await download(importId);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="rejected-rows-${importId}.csv"`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text.endsWith('\r\n')).toBe(true);
    expect(header).toEqual(['svc_row', 'svc_line', 'svc_errors', "'=Name", 'Amount']);
    expect(rows.map((cells) => cells[3])).toEqual([...HOSTILE_SHOWN, '']);
    expect(rows.map((cells) => Number(cells[0]))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(rows[0]?.[2]).toMatch(/^amount: /);
    expect(rows.at(-1)?.slice(2)).toEqual([expect.stringMatching(/^name: /), '', '-5.50']);
  });

  it('are all of them, also beyond the errors that are kept, and over every partition', async () => {
    const bad = Array.from({ length: 950 }, (_, row) => [`name ${row}`, row % 2 === 0 ? 'x' : '1']);
    const importId = await customer.uploaded(csv(bad), COLUMNS);
    expect(await customer.validated(importId)).toMatchObject({ rows: { valid: 475, invalid: 475 } });
    const { rows } = await download(importId);
    expect(rows.map((cells) => cells[3])).toEqual(
      bad.filter((_, row) => row % 2 === 0).map(([name]) => name),
    );
  });

  it('keep their fields when there are too many of them', async () => {
    const wide = Array.from({ length: 150 }, (_, column) => `cell ${column}`);
    const importId = await customer.uploaded(csv([['a', '1', 'extra'], ['b'], wide]), COLUMNS);
    await customer.validated(importId);
    const { rows } = await download(importId);
    expect(rows.map((cells) => cells.slice(3))).toEqual([['a', '1', 'extra'], ['b'], wide]);
  });

  it('name an error each, and say how many more there are', async () => {
    const fields = Array.from({ length: 20 }, (_, index) => ({
      key: `f${index}`,
      type: 'date',
      required: true,
    }));
    const other = await customer.another(fields);
    const names = fields.map(({ key }) => key);
    const lines = Array.from({ length: 100 }, () => names.join(','));
    const columns = names.map((key) => ({ source: key, target: key }));
    const importId = await other.uploaded(Buffer.from([names.join(','), ...lines].join('\n')), columns);
    expect(await other.validated(importId)).toMatchObject({ rows: { invalid: 100 } });
    const { rows } = await download(importId, other);
    const message = (key: string) => `${key}: Allowed: a date that exists, written as YYYY-MM-DD.`;
    expect(rows[49]?.[2]).toBe(names.map(message).join('; '));
    expect(rows.slice(50).map((cells) => cells[2])).toEqual(Array(50).fill(`${message('f0')}; 19 more`));
  });

  it('come back as an upload, whatever the columns of the file are called', async () => {
    const fields = [
      { key: 'row', type: 'integer', required: true },
      { key: 'name', type: 'text', required: true },
      { key: 'note', type: 'text', required: false },
    ];
    const other = await customer.another(fields);
    const columns = [
      { source: 'row', target: 'row' },
      { source: 'svc_row', target: 'name' },
      { source: '=errors', target: 'note' },
    ];
    const names = ['row', 'line', 'errors', 'svc_row', 'svc2_line', '=errors'];
    const notes = ['=1', "'=1", 'a;=1', 'x, "y"\r\n-z', ''];
    const rows = notes.map((note, index) => ['x', String(index), 'e', `name ${index}`, 'l', note]);
    const first = await other.uploaded(
      Buffer.from([names, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('')),
      columns,
    );
    expect(await other.validated(first)).toMatchObject({ rows: { valid: 0, invalid: 5 } });
    const downloaded = await download(first, other);
    expect(downloaded.header).toEqual([
      'svc3_row',
      'svc3_line',
      'svc3_errors',
      ...names.slice(0, 5),
      "'=errors",
    ]);
    // Only what is wrong is corrected; the bytes besides stay as they were downloaded.
    const corrected = Buffer.from(downloaded.text.replaceAll('.",x,', '.",7,'));
    const back = columns.map(({ source, target }) => ({ source: source.replace(/^=/, "'="), target }));
    const second = await other.uploaded(corrected, back);
    expect(await other.validated(second)).toMatchObject({ status: 'ready', rows: { valid: 5 } });
    const { body } = await other.owner('GET', `/imports/${second}/rows`);
    const shown = ["'=1", "''=1", "a;'=1", `x, "y"\r\n'-z`, null];
    expect(body.rows.map(({ values }: { values: object }) => values)).toEqual(
      shown.map((note, index) => ({ row: '7', name: `name ${index}`, note })),
    );
  });

  it('are none of a file that is wholly valid, and none before a validation', async () => {
    const importId = await customer.uploaded(csv([['a', '1']]), COLUMNS);
    const path = `/imports/${importId}/errors.csv`;
    expect(refusal(await customer.owner('GET', path))).toEqual([409, 'state_conflict']);
    await customer.validated(importId);
    expect((await download(importId)).rows).toEqual([]);
    await customer.owner('POST', `/imports/${importId}/cancel`, {});
    expect(refusal(await customer.owner('GET', path))).toEqual([410, 'cancelled']);
  });
});

describe('the pulled batch', () => {
  it('has every cell as it stands in the file', async () => {
    const capability = await customer.newCapability();
    const importId = await customer.approved(csv(HOSTILE.map((name) => [name, '-5'])), COLUMNS);
    const { body } = await customer.backend(capability, 'GET', `/${importId}/batches?index=0`);
    const { rows } = batchAnswerSchema.parse(body);
    expect(rows.map(({ values }) => values)).toEqual(HOSTILE.map((name) => ({ name, amount: '-5' })));
  });
});
