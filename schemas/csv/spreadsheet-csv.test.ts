import { parseString } from '@fast-csv/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoredCell, spreadsheetCsv } from './spreadsheet-csv.ts';

const HOSTILE = fc.string({
  unit: fc.constantFrom('=', '-', ' ', ',', ';', '"', '\r', '\n', '\t', "'", 'a', 'é'),
});

describe('CSV for spreadsheets', () => {
  it.each([
    '=1+1',
    '+1',
    '-1+2',
    '-01',
    '-1.',
    '@SUM(A1)',
    '\ttab',
    '\r.',
    '\n.',
    '\0=1',
    '  =1',
    '\uFEFF=1',
    '"=1"',
    "'=1",
    "''@A1",
    "'\ttab",
  ])('shows %j and does not run it', async (cell) => {
    expect(await parsed([[cell]])).toEqual([[`'${cell}`]]);
  });

  it.each(['＝1', '＋1', '－1', '＠A1'])('takes %s for what it stands for', async (cell) => {
    expect(await parsed([[cell]])).toEqual([[`'${cell}`]]);
  });

  it.each([
    ['a;=1', "a;'=1"],
    ['a; -1;+1', "a;' -1;'+1"],
    ['a;"=1"', `a;'"=1"`],
    ['a\t@A1', "a\t'@A1"],
    ['a\n=1\r\n=2', "a\n'=1\r\n'=2"],
    ['a;\n;＝1', "a;\n;'＝1"],
    ["a;'=1", "a;''=1"],
    ['\t=1', "'\t'=1"],
    [' \uFEFF\n-1', "' \uFEFF\n'-1"],
  ])('shows %j also where a spreadsheet begins a cell inside it', async (cell, shown) => {
    expect(await parsed([['mark', cell]])).toEqual([['mark', shown]]);
  });

  it.each([-5, '-5.50', '-0.1', 'a-b', '', '1=1', 'x, "y"', "it's; x"])('leaves %j alone', async (cell) => {
    expect(await parsed([['mark', cell]])).toEqual([['mark', String(cell)]]);
  });

  it('restores every cell', async () => {
    const cell = fc.oneof(HOSTILE, fc.integer().map(String), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(cell, async (written) => {
        const [[, shown] = []] = await parsed([['mark', written]]);
        expect(restoredCell(shown ?? '')).toBe(written);
      }),
    );
  });

  it('begins no cell with a formula, whichever of comma, semicolon and tab a spreadsheet splits lines at', async () => {
    const rows = fc.array(fc.array(HOSTILE, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        // As in the files that are downloaded, a number of ours begins each line.
        const lines = written.map((row, index) => [index, ...row]);
        const read = await parsed(lines);
        expect(read).toHaveLength(written.length);
        // Where commas do not separate, quotes in the middle of a cell are text, so that every separator counts.
        const cells = [...read.flat(), ...spreadsheetCsv(lines).split(/[;\t\r\n]/)];
        for (const cell of cells) expect(cell).not.toMatch(/^[\s"]*[=-]/);
      }),
      { numRuns: 1_000 },
    );
  });
});

async function parsed(rows: (string | number)[][]): Promise<string[][]> {
  return await parseString(spreadsheetCsv(rows), { headers: false }).toArray();
}
