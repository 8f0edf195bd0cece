import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRows } from '../../schemas/csv/cells.ts';
import { spreadsheetCsv } from '../../schemas/csv/spreadsheet-csv.ts';
import { codeOf, readGuide } from './guide-code.fixture.ts';

const text = readGuide('csv-import.md');

it('restores every cell of errors.csv that comes back as an upload', async () => {
  const module = `${codeOf(text, 'js', 'const restore =')}\nexport { restore };`;
  const { restore } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`);
  const units = [
    '=',
    '+',
    '-',
    '@',
    '＝',
    ' ',
    '\u00a0',
    '\uFEFF',
    ';',
    ',',
    '"',
    '\r',
    '\n',
    '\t',
    "'",
    'a',
  ];
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...units) }) },
    fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.includes('\0')),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
      const file = Buffer.from(spreadsheetCsv([[1, ...cells]]));
      const [row] = readRows(file, { offset: 0, line: 1 }).rows;
      expect(row?.cells?.slice(1).map(restore)).toEqual(cells);
    }),
    { numRuns: 5_000 },
  );
});
