import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ended } from './ended.fixture.ts';
import { readTable, type Table, writeTable } from './table.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function read(text: string): Table {
  const table = ended(readTable(bytesOf(text)));
  if (table === null) throw new Error(`reading ${text}`);
  return table;
}

const NOTHING = { columns: new Map(), leavesOut: () => false };

describe('readTable', () => {
  it('reads cells by columns, with quotes and without blank lines', () => {
    const table = read('\ufeffa,b\r\n\r\n1,"x, ""y""\n"\n2,\n');
    expect(table.names).toEqual(['a', 'b']);
    expect(table.columns).toEqual([
      ['1', '2'],
      ['x, "y"\n', ''],
    ]);
  });

  it('notes rows with another number of cells', () => {
    const table = read('a,b\n1\n2,3\n4,5,6');
    expect([...table.uneven]).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(table.columns[1]).toEqual(['', '3', '5']);
  });

  it.each([
    ['no record', '\n\n'],
    ['a quote inside of a field', 'a,b\n1"2,3\n'],
    ['a quote that is not closed', 'a,b\n"1,2\n'],
    ['text behind a quote', 'a,b\n"1"2,3\n'],
    ['a lone CR', 'a,b\n1,2\r3,4\n'],
  ])('is null for a file with %s', (_name, text) => {
    expect(ended(readTable(bytesOf(text)))).toBeNull();
  });
});

describe('writeTable', () => {
  it('keeps every byte where nothing changes', () => {
    const cell = fc.constantFrom('', 'x', '"x"', '"a ""b"""', '"1,5"', ' ', '"\r\n"', 'ü', '00');
    const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n');
    const row = fc.tuple(fc.array(cell, { minLength: 2, maxLength: 4 }), lineEnd);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const text = `n,m\n${rows.map(([cells, end]) => cells.join() + end).join('')}`;
        expect(textOf(ended(writeTable(read(text), NOTHING)))).toBe(text);
      }),
    );
  });

  it('writes other cells with quotes where they need them, and leaves out rows', () => {
    const table = read('a,b\r\n"1,5",x\r\n2,"y"\r\n3,z');
    const columns = new Map([[0, (row: number) => ['1.5', '2', 'a"b, c'][row] ?? '']]);
    expect(textOf(ended(writeTable(table, { columns, leavesOut: () => false })))).toBe(
      'a,b\r\n1.5,x\r\n2,"y"\r\n"a""b, c",z',
    );
    expect(textOf(ended(writeTable(table, { columns, leavesOut: (row) => row !== 1 })))).toBe(
      'a,b\r\n2,"y"\r\n',
    );
  });

  it('writes no blank line for an empty cell of one column', () => {
    const columns = new Map([[0, () => '']]);
    expect(textOf(ended(writeTable(read('a\n-\n'), { columns, leavesOut: () => false })))).toBe('a\n""\n');
  });
});
