import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellText, encodeCsv, style } from '../../../../schemas/csv/testing/arbitraries.ts';
import { ImportsCustomer } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'text', type: 'text', required: false },
  { key: 'number', type: 'integer', required: false },
];
const COLUMNS = [
  { source: 'text', target: 'text' },
  { source: 'number', target: 'number' },
];
const HEADER = ['text', 'number'];
/** Few, because each is several requests; the parser has its own properties. */
const RUNS = { numRuns: 12 };

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
});

afterAll(async () => {
  await customer.service.dispose();
});

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.constant(''),
);
const validRow = fc.tuple(cellText, numberText);
const anyRow = fc.oneof(
  validRow,
  fc.tuple(cellText, cellText),
  fc.array(cellText, { minLength: 3, maxLength: 4 }),
);

async function batchIds(importId: string): Promise<string[]> {
  return (await customer.agent('GET', `/imports/${importId}/binding`)).body.batchIds;
}

async function validIds(file: Uint8Array): Promise<string[]> {
  const importId = await customer.uploaded(file, COLUMNS);
  expect((await customer.validated(importId)).status).toBe('ready');
  return await batchIds(importId);
}

describe('any file', () => {
  it('has as many rows as valid, invalid and blank ones together, and every cell as it was written', async () => {
    const blocks = fc.array(fc.tuple(anyRow, fc.nat(2)), { minLength: 1, maxLength: 130 });
    await fc.assert(
      fc.asyncProperty(blocks, style, async (rows, form) => {
        const pieces = rows.map(([row, blank]) => [encodeCsv([row], form), Buffer.from('\n'.repeat(blank))]);
        const importId = await customer.uploaded(
          Buffer.concat([encodeCsv([HEADER], form), ...pieces.flat()]),
          COLUMNS,
        );
        const status = await customer.validated(importId);
        const { total, valid, invalid, blank } = status.rows;
        expect(total).toBe(valid + invalid + blank);
        expect(valid + invalid).toBe(rows.length);
        expect(blank).toBe(rows.reduce((sum, [, lines]) => sum + lines, 0));
        expect(status.status).toBe(invalid === 0 ? 'ready' : 'needs_correction');
        const sources: string[][] = [];
        for (let cursor: string | null = '0'; cursor !== null; ) {
          const { body } = await customer.owner(
            'GET',
            `/imports/${importId}/rows?limit=100&cursor=${cursor}`,
          );
          sources.push(...body.rows.map(({ source }: { source: string[] }) => source));
          cursor = body.nextCursor;
        }
        expect(sources).toEqual(rows.map(([row]) => row));
      }),
      RUNS,
    );
  });
});

describe('any valid rows', () => {
  it('have the same batch ids in every import, however they are written down', async () => {
    const rows = fc.array(validRow, { minLength: 1, maxLength: 210 });
    await fc.assert(
      fc.asyncProperty(rows, style, style, async (cells, one, other) => {
        const first = await validIds(encodeCsv([HEADER, ...cells], one));
        const mark = Buffer.from('\ufeff\n');
        expect(await validIds(Buffer.concat([mark, encodeCsv([HEADER, ...cells], other)]))).toEqual(first);
        expect(first).toHaveLength(Math.ceil(cells.length / 100));
      }),
      RUNS,
    );
  });

  it('keep the ids of the partitions that a correction leaves alone', async () => {
    const cells = Array.from({ length: 350 }, (_, row) => [`text ${row}`, String(row)]);
    const before = await validIds(encodeCsv([HEADER, ...cells], { lineEnd: '\n', quoteAll: false }));
    await fc.assert(
      fc.asyncProperty(fc.nat(349), style, async (changed, form) => {
        const corrected = cells.map((row, index) => (index === changed ? ['corrected', ''] : row));
        const after = await validIds(encodeCsv([HEADER, ...corrected], form));
        const kept = before.map((id, index) => id === after[index]);
        expect(kept).toEqual(before.map((_, index) => index !== Math.floor(changed / 100)));
      }),
      RUNS,
    );
  });
});
