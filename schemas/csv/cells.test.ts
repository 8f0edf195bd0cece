import { parseString } from '@fast-csv/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows, splitRecord } from './cells.ts';
import { COLUMNS_MAX, RECORD_BYTES_MAX } from './limits.ts';
import { cellText, encodeCsv, style } from './testing/arbitraries.ts';
import { fixture } from './testing/fixtures.ts';

const FILE_START = { offset: 0, line: 1 };

function cellsOf(bytes: Uint8Array): (readonly string[] | null)[] {
  const { rows } = readRows(bytes, FILE_START);
  return rows.map((row) => row.cells);
}

describe('readRows', () => {
  it('decodes quotes and keeps what is inside them byte for byte', async () => {
    expect(cellsOf(fixture('quoted'))).toEqual([
      ['id', 'quote', 'note'],
      ['1', 'He said "hi", then left', 'first line\nsecond line'],
      ['2', '', '"quoted"'],
      ['3', 'plain', 'a,b,,c'],
    ]);
    expect(cellsOf(fixture('quoted-crlf')).slice(1)).toEqual([
      ['1', 'kept\r\nas it is'],
      ['2', 'kept\nas it is'],
      ['3', 'kept\ras it is'],
    ]);
  });

  it('trims nothing, not even where a record starts', async () => {
    expect(cellsOf(fixture('whitespace'))).toEqual([
      [' a ', 'b\t', '\u00a0c'],
      ['  ', 'x', '\t'],
      ['\t1 ', ' 2', ' 3'],
      ['\ufeffz', '\u3000', ' '],
    ]);
    expect(cellsOf(fixture('spaces-only'))).toEqual([['   ']]);
  });

  it('tells an empty field from a blank line', async () => {
    const { rows, blank } = readRows(fixture('one-column'), FILE_START);
    expect(rows.map((row) => row.cells)).toEqual([['name'], ['x'], [''], ['  ']]);
    expect(blank).toBe(1);
    expect(cellsOf(fixture('commas'))).toEqual([
      ['a', 'b', 'c', 'd'],
      ['', '', '', ''],
      ['', '', '', ''],
    ]);
  });

  it('treats names of object members as text', async () => {
    expect(cellsOf(fixture('reserved-names'))).toEqual([
      ['__proto__', 'constructor', 'toString', 'a.__proto__.b'],
      ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('reads nothing from nothing', async () => {
    expect(readRows(Buffer.alloc(0), FILE_START)).toEqual({ rows: [], blank: 0 });
    expect(readRows(Buffer.from('\n\n'), { offset: 7, line: 2 })).toEqual({ rows: [], blank: 2 });
  });

  it('does not decode what is too large, and keeps its place among the others', async () => {
    const exact = 'x'.repeat(RECORD_BYTES_MAX);
    const bytes = Buffer.from(`a\n${exact}\n${exact}y\nb\n`);
    expect(cellsOf(bytes).map((cells) => cells?.length ?? null)).toEqual([1, 1, null, 1]);
  });

  it('decodes a record with more fields than a header may have', async () => {
    const wide = ','.repeat(COLUMNS_MAX);
    const widest = ','.repeat(RECORD_BYTES_MAX);
    const bytes = Buffer.from(`1${wide}2\n${widest}\n`);
    const [first, second] = cellsOf(bytes);
    expect(first).toEqual(['1', ...Array(COLUMNS_MAX - 1).fill(''), '2']);
    expect(second).toEqual(Array(RECORD_BYTES_MAX + 1).fill(''));
  });

  it('gives back what was written, whatever it is', async () => {
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((columns) =>
        fc.array(fc.array(cellText, { minLength: columns, maxLength: columns }), { maxLength: 8 }),
      );
    fc.assert(
      fc.property(table, style, fc.nat(1), (records, how, line) => {
        const { rows, blank } = readRows(encodeCsv(records, how), { offset: 100, line: line + 1 });
        expect(rows.map((row) => row.cells)).toEqual(records);
        expect(blank).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('throws on a range that was never accepted', async () => {
    expect(() => readRows(Buffer.from('a,"b'), FILE_START)).toThrow('unclosed_quote');
    expect(() => readRows(Buffer.from([0x61, 0xff]), FILE_START)).toThrow('not UTF-8');
  });
});

/** The cells that the library reads; a sentinel keeps it from trimming the first one. */
async function parseWithLibrary(text: string): Promise<string[][]> {
  const records: string[][] = [];
  for await (const [, ...cells] of parseString<string[], string[]>(`x,${text}\n`)) records.push(cells);
  return records;
}

describe('splitRecord', () => {
  it('reads what @fast-csv/parse reads', async () => {
    const record = fc.array(cellText, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(record, style, async (cells, how) => {
        const text = encodeCsv([cells], how).toString().slice(0, -how.lineEnd.length);
        expect([splitRecord(text, cells.length)]).toEqual(await parseWithLibrary(text));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['', ['']],
    [',', ['', '']],
    ['""', ['']],
    ['"",""', ['', '']],
    ['""""', ['"']],
    ['a,"""b"",""c""",', ['a', '"b","c"', '']],
    ['"\r\n","a\nb"', ['\r\n', 'a\nb']],
  ])('reads %j', (text, cells) => {
    expect(splitRecord(text, cells.length)).toEqual(cells);
  });

  it('throws for other fields than the scanner saw', () => {
    expect(() => splitRecord('abc', 2)).toThrow('a record of 2 fields: seen 1');
    expect(() => splitRecord('"a,b', 2)).toThrow('quote does not end');
  });
});
