import { parseString } from '@fast-csv/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadsheetCsv } from './spreadsheet-csv.ts';

describe('CSV for spreadsheets', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\0=1',
    '  =1',
    '\uFEFF=1',
    ' \uFEFF\n-1',
  ])('shows %j and does not run it', async (cell) => {
    expect(await parsed([[cell]])).toEqual([[`'${cell}`]]);
  });

  it.each(['＝1', '＋1', '－1', '＠A1'])('takes %s for what it stands for', async (cell) => {
    expect(await parsed([[cell]])).toEqual([[`'${cell}`]]);
  });

  it('leaves numbers and other texts alone', () => {
    expect(spreadsheetCsv([[-5, { number: '-5.50' }, 'a-b', '', '1=1', 'x, "y"']])).toBe(
      '-5,-5.50,a-b,,1=1,"x, ""y"""\r\n',
    );
  });

  it('keeps every text in its cell, behind an apostrophe at most', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('=', '-', ' ', ',', '"', '\r', '\n', '\t', "'", 'a', 'é'),
    });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        // The mark keeps the parser from dropping a row of empty cells.
        const read = await parsed(written.map((row) => ['mark', ...row]));
        expect(read).toHaveLength(written.length);
        read.forEach(([, ...cells], row) => {
          cells.forEach((text, column) => {
            const given = written[row]?.[column] ?? '';
            expect([given, `'${given}`]).toContain(text);
            expect(text).not.toMatch(/^[\s]*[=-]/);
          });
        });
      }),
    );
  });
});

async function parsed(rows: string[][]): Promise<string[][]> {
  return await parseString(spreadsheetCsv(rows), { headers: false }).toArray();
}
