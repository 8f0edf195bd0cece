import { describe, expect, it } from 'vitest';
import { HEADER_PREFIX_BYTES, readHeader } from './header.ts';
import { COLUMNS_MAX, HEADER_BYTES_MAX } from './limits.ts';
import { fixture, fixtureNames } from './testing/fixtures.ts';

function header(...names: string[]) {
  return { kind: 'header', names };
}

function fault(code: string, line: number | null, byteOffset: number | null) {
  return { kind: 'fault', fault: { code, line, byteOffset } };
}

describe('readHeader', () => {
  it.each([
    ['quoted', header('id', 'quote', 'note')],
    ['bom-quoted-header', header('name, first', 'b')],
    ['blank-lines-everywhere', header('a')],
    ['header-only', header('a', 'b')],
    ['whitespace', header(' a ', 'b\t', '\u00a0c')],
    ['spaces-only', header('   ')],
    ['reserved-names', header('__proto__', 'constructor', 'toString', 'a.__proto__.b')],
    ['unclosed-quote', header('a', 'b')],
    ['empty', fault('no_header', null, null)],
    ['bom-only', fault('no_header', null, null)],
    ['blank-lines-only', fault('no_header', null, null)],
    ['empty-header', fault('empty_header', 1, 0)],
    ['quoted-empty-header', fault('empty_header', 1, 0)],
    ['duplicate-header', fault('duplicate_header', 1, 0)],
    ['utf16le', fault('nul_byte', 1, 1)],
    ['invalid-utf8', header('name')],
  ])('reads %s', async (name, expected) => {
    expect(await readHeader(fixture(name))).toEqual(expected);
  });

  it('compares names as they are written', async () => {
    expect(await readHeader(Buffer.from('a,A, a,\u00e9,e\u0301\n'))).toEqual(
      header('a', 'A', ' a', '\u00e9', 'e\u0301'),
    );
    expect(await readHeader(Buffer.from('\n\nb,a,"a"\n'))).toEqual(fault('duplicate_header', 3, 2));
  });

  it('refuses a header that is not UTF-8', async () => {
    expect(await readHeader(Buffer.from('\na,\xff\n1,2', 'latin1'))).toEqual(fault('invalid_utf8', 2, 3));
    expect(await readHeader(Buffer.from('a,\xc3\n1,2', 'latin1'))).toEqual(fault('invalid_utf8', 1, 2));
  });

  it('allows 100 columns and not one more', async () => {
    const names = Array.from({ length: COLUMNS_MAX }, (_, index) => `c${index}`);
    expect(await readHeader(Buffer.from(names.join(',')))).toEqual(header(...names));
    expect(await readHeader(Buffer.from([...names, 'x'].join(',')))).toEqual(fault('too_many_columns', 1, 0));
  });

  it('finds the header up to its largest place and not behind it', async () => {
    const name = 'n'.repeat(HEADER_BYTES_MAX - 2);
    expect(await readHeader(Buffer.from(`\r\n${name}\r\n1\r\n`))).toEqual(header(name));
    expect(await readHeader(Buffer.from(`\r\n${name}`))).toEqual(header(name));
    expect(await readHeader(Buffer.from(`\r\n${name}x`))).toEqual(fault('no_header', 2, 2));
    expect(await readHeader(Buffer.from(`\r\n${name}xx\n1\n`))).toEqual(fault('no_header', null, null));
    expect(await readHeader(Buffer.alloc(HEADER_PREFIX_BYTES + 1, '\n'))).toEqual(
      fault('no_header', null, null),
    );
  });

  it('needs no more than the announced prefix', async () => {
    for (const name of fixtureNames()) {
      const long = Buffer.concat([fixture(name), Buffer.from(`\n"x"${'\ny'.repeat(HEADER_PREFIX_BYTES)}`)]);
      expect(await readHeader(long.subarray(0, HEADER_PREFIX_BYTES)), name).toEqual(await readHeader(long));
    }
  });
});
