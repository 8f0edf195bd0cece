import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecords, readRows } from './cells.ts';
import { COLUMNS_MAX, RECORD_BYTES_MAX } from './limits.ts';
import { cellText, encodeCsv, style } from './testing/arbitraries.ts';
import { fixture } from './testing/fixtures.ts';

const FILE_START = { offset: 0, line: 1 };

async function cellsOf(bytes: Uint8Array): Promise<(readonly string[] | null)[]> {
  const { rows } = await readRows(bytes, FILE_START);
  return rows.map((row) => row.cells);
}

describe('readRows', () => {
  it('decodes quotes and keeps what is inside them byte for byte', async () => {
    expect(await cellsOf(fixture('quoted'))).toEqual([
      ['id', 'quote', 'note'],
      ['1', 'He said "hi", then left', 'first line\nsecond line'],
      ['2', '', '"quoted"'],
      ['3', 'plain', 'a,b,,c'],
    ]);
    expect((await cellsOf(fixture('quoted-crlf'))).slice(1)).toEqual([
      ['1', 'kept\r\nas it is'],
      ['2', 'kept\nas it is'],
      ['3', 'kept\ras it is'],
    ]);
  });

  it('trims nothing, not even where a record starts', async () => {
    expect(await cellsOf(fixture('whitespace'))).toEqual([
      [' a ', 'b\t', '\u00a0c'],
      ['  ', 'x', '\t'],
      ['\t1 ', ' 2', ' 3'],
      ['\ufeffz', '\u3000', ' '],
    ]);
    expect(await cellsOf(fixture('spaces-only'))).toEqual([['   ']]);
  });

  it('tells an empty field from a blank line', async () => {
    const { rows, blank } = await readRows(fixture('one-column'), FILE_START);
    expect(rows.map((row) => row.cells)).toEqual([['name'], ['x'], [''], ['  ']]);
    expect(blank).toBe(1);
    expect(await cellsOf(fixture('commas'))).toEqual([
      ['a', 'b', 'c', 'd'],
      ['', '', '', ''],
      ['', '', '', ''],
    ]);
  });

  it('treats names of object members as text', async () => {
    expect(await cellsOf(fixture('reserved-names'))).toEqual([
      ['__proto__', 'constructor', 'toString', 'a.__proto__.b'],
      ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('reads nothing from nothing', async () => {
    expect(await readRows(Buffer.alloc(0), FILE_START)).toEqual({ rows: [], blank: 0 });
    expect(await readRows(Buffer.from('\n\n'), { offset: 7, line: 2 })).toEqual({ rows: [], blank: 2 });
  });

  it('does not decode what is too large, and keeps its place among the others', async () => {
    const exact = 'x'.repeat(RECORD_BYTES_MAX);
    const wide = ','.repeat(COLUMNS_MAX);
    const bytes = Buffer.from(`a\n${exact}\n${exact}y\n${wide}\n${wide.slice(1)}\nb\n`);
    expect((await cellsOf(bytes)).map((cells) => cells?.length ?? null)).toEqual([
      1,
      1,
      null,
      null,
      COLUMNS_MAX,
      1,
    ]);
  });

  it('gives back what was written, whatever it is', async () => {
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((columns) =>
        fc.array(fc.array(cellText, { minLength: columns, maxLength: columns }), { maxLength: 8 }),
      );
    await fc.assert(
      fc.asyncProperty(table, style, fc.nat(1), async (records, how, line) => {
        const { rows, blank } = await readRows(encodeCsv(records, how), { offset: 100, line: line + 1 });
        expect(rows.map((row) => row.cells)).toEqual(records);
        expect(blank).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('throws on a range that was never accepted', async () => {
    await expect(readRows(Buffer.from('a,"b'), FILE_START)).rejects.toThrow('unclosed_quote');
    await expect(readRows(Buffer.from([0x61, 0xff]), FILE_START)).rejects.toThrow(TypeError);
  });
});

describe('decodeRecords', () => {
  it('throws when the parser sees other fields or records than the scanner did', async () => {
    const record = { start: 0, end: 3, next: 4, line: 1, columns: 2, growth: 0 };
    expect(await decodeRecords(Buffer.from('a,b\n'), 0, [record])).toEqual([['a', 'b']]);
    await expect(decodeRecords(Buffer.from('abc\n'), 0, [record])).rejects.toThrow(
      'a record of 2 fields: seen 1',
    );
    await expect(decodeRecords(Buffer.from('a\nb\n'), 0, [record])).rejects.toThrow(
      '1 scanned records: seen 2',
    );
  });
});
