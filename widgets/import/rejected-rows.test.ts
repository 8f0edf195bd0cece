import { parseString } from '@fast-csv/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadsheetCsv } from '../../gateway/http/spreadsheet-csv.ts';
import { rejectedRowsCsv } from './rejected-rows.ts';

const row = (source: readonly string[]) => ({
  row: 1,
  line: 2,
  source,
  errors: [{ column: 'a', message: 'expected a date' }],
});

describe('rejectedRowsCsv', () => {
  it.each(['=1+1', '+1', '-1', '@a', ' =1', '"=1', '\t1', '\uFF1D1'])('disarms %j', async (text) => {
    const csv = rejectedRowsCsv(['h'], [row([text])]).slice(1);
    const records: string[][] = [];
    for await (const record of parseString<string[], string[]>(csv)) records.push(record);
    expect(records[1]?.[3]?.startsWith("'")).toBe(true);
  });

  it('writes cells as the service does in its own file of rejected rows', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }), (cells) => {
        const written = rejectedRowsCsv(['h'], [row(cells)]).split('svc_row,svc_line,svc_errors,h\r\n')[1];
        expect(written).toBe(spreadsheetCsv([['1', '2', 'a: expected a date', ...cells]]));
      }),
    );
  });
});
