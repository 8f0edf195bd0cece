import { parseString } from '@fast-csv/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Header, HeaderReader, readHeader } from './header.ts';
import { COLUMNS_MAX, FIELD_BYTES_MAX, RECORD_BYTES_MAX } from './limits.ts';
import { isBlank, RecordScanner, type ScannedRecord } from './scanner.ts';
import { cellText, chunkingsOf, encodeCsv, hostileBytes, style } from './testing/arbitraries.ts';
import { cutAt, everyChunking, inReusedMemory } from './testing/chunkings.ts';
import { fixture, fixtureNames } from './testing/fixtures.ts';

function header(...names: string[]) {
  return { kind: 'header', names };
}

function fault(code: string, line: number | null, byteOffset: number | null) {
  return { kind: 'fault', fault: { code, line, byteOffset } };
}

/** The names or the fault, without the place of the header row. */
async function read(file: string | Uint8Array): Promise<object> {
  const found = await readHeader([typeof file === 'string' ? Buffer.from(file) : file]);
  return found.kind === 'header' ? header(...found.names) : found;
}

/** The fixtures that are UTF-8 in their header rows, as the reader requires. */
const READABLE = fixtureNames().filter((name) => !name.startsWith('utf16'));

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
    expect(await read(fixture(name))).toMatchObject(expected);
  });

  it('compares names as they are written', async () => {
    expect(await read('a,A, a,\u00e9,e\u0301\n')).toEqual(header('a', 'A', ' a', '\u00e9', 'e\u0301'));
    expect(await read('\n\nb,a,"a"\n')).toMatchObject(fault('duplicate_header', 3, 2));
  });

  it('throws on names that are not UTF-8, which the caller has excluded', async () => {
    await expect(read(Buffer.from('a,\xff\n1,2', 'latin1'))).rejects.toThrow(TypeError);
  });

  it('allows 100 columns and not one more, however long the row is', async () => {
    const names = Array.from({ length: COLUMNS_MAX }, (_, index) => `c${index}`);
    expect(await read(names.join(','))).toEqual(header(...names));
    expect(await read([...names, 'x'].join(','))).toMatchObject(fault('too_many_columns', 1, 0));
    const many = Array.from({ length: 11_000 }, (_, index) => `column ${index}`).join(',');
    expect(many.length).toBeGreaterThan(RECORD_BYTES_MAX);
    expect(await read(`\ufeff${many}\n1\n`)).toMatchObject(fault('too_many_columns', 1, 3));
  });

  it('finds the header behind a BOM and any number of blank lines', async () => {
    const name = 'n'.repeat(FIELD_BYTES_MAX);
    for (const blank of ['\r\n', '\n'.repeat(65_534), '\n'.repeat(65_536), '\r\n'.repeat(100_001)]) {
      const lines = blank.split('\n').length - 1;
      for (const mark of ['', '\ufeff']) {
        const start = Buffer.byteLength(mark) + blank.length;
        const found = await readHeader([Buffer.from(`${mark}${blank}${name},"b\n"\r\n1,2\r\n`)]);
        expect(found).toMatchObject(header(name, 'b\n'));
        expect(found).toMatchObject({ record: { start, line: lines + 1 } });
        expect(await read(`${mark}${blank}a,a`)).toMatchObject(fault('duplicate_header', lines + 1, start));
      }
    }
    expect(await read('\n'.repeat(200_000))).toMatchObject(fault('no_header', null, null));
  });

  it('bounds the header row and each of its names, in decoded bytes', async () => {
    const names = Array.from({ length: 4 }, (_, index) => `${index}${'n'.repeat(FIELD_BYTES_MAX - 2)}`);
    const longest = names.join(',');
    expect(longest.length).toBe(RECORD_BYTES_MAX - 1);
    expect(await read(`\n${longest}n\n1\n`)).toEqual(header(...names.slice(0, 3), `${names[3]}n`));
    expect(await read(`\n${longest}nn`)).toMatchObject(fault('header_too_large', 2, 1));
    expect(await read(`a,${'b'.repeat(FIELD_BYTES_MAX)}`)).toEqual(header('a', 'b'.repeat(FIELD_BYTES_MAX)));
    expect(await read(`a,${'b'.repeat(FIELD_BYTES_MAX + 1)}`)).toMatchObject(fault('header_too_large', 1, 0));
    expect(await read(`"${'""'.repeat(FIELD_BYTES_MAX)}"`)).toEqual(header('"'.repeat(FIELD_BYTES_MAX)));
    expect(await read('€'.repeat(FIELD_BYTES_MAX / 3 + 1))).toMatchObject(fault('header_too_large', 1, 0));
  });

  it('reports what ends the scan inside the header row, however far it goes', async () => {
    const rows = '1,2\n'.repeat(100_000);
    expect(await read(`a,"b\n${rows}`)).toMatchObject(fault('unclosed_quote', 1, 2));
    expect(await read(`a,"b\n${rows}\0`)).toMatchObject(fault('nul_byte', 100_002, 5 + rows.length));
    expect(await read(`\na,b\r${rows}`)).toMatchObject(fault('lone_cr', 2, 4));
    expect(await read('a,b "c"\n')).toMatchObject(fault('stray_quote', 1, 4));
  });

  it('reads no further than the header row', async () => {
    let asked = 0;
    function* chunks() {
      for (;;) {
        asked += 1;
        yield Buffer.from(asked === 3 ? 'b\n1' : '\na'.slice(asked - 1));
      }
    }
    expect(await readHeader(chunks())).toMatchObject({ names: ['aab'] });
    expect(asked).toBe(3);
  });
});

describe('HeaderReader', () => {
  async function readIn(chunks: Iterable<Uint8Array>): Promise<Header> {
    const reader = new HeaderReader();
    for (const chunk of chunks) reader.write(chunk);
    return reader.finish();
  }

  it('reads the same for every split point of every fixture', async () => {
    for (const name of READABLE) {
      const expected = await readIn([fixture(name)]);
      for (const chunks of everyChunking(fixture(name))) {
        expect(await readIn(inReusedMemory(chunks)), name).toEqual(expected);
      }
    }
  });

  it('reads long headers the same in pieces of any size', async () => {
    const file = Buffer.from(
      `\ufeff${'\r\n'.repeat(10_000)}${'a'.repeat(16_000)},"${'€\n'.repeat(4_000)}"\n1,2\n`,
    );
    const expected = await readIn([file]);
    expect(expected).toMatchObject({ kind: 'header', record: { line: 10_001 } });
    for (const size of [1, 2, 3, 4_095, 4_096, 4_097, 65_536]) {
      const offsets = Array.from({ length: Math.floor(file.length / size) }, (_, index) => index * size);
      expect(await readIn(inReusedMemory(cutAt(file, offsets))), `${size}`).toEqual(expected);
    }
  });

  it('finds the first record that is not blank of hostile bytes, or the fault before it', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileBytes.chain((bytes) => fc.tuple(fc.constant(bytes), chunkingsOf(bytes))),
        async ([bytes, cuts]) => {
          fc.pre(!bytes.some((byte) => byte > 0x7f));
          const records: ScannedRecord[] = [];
          const scanner = new RecordScanner((record) => void (isBlank(record) || records.push(record)));
          const scanFault = scanner.write(bytes) ?? scanner.finish();
          const found = await readIn(inReusedMemory(cutAt(bytes, cuts)));
          const [first] = records;
          if (found.kind === 'header') expect(found.record).toEqual(first);
          else if (first === undefined)
            expect(found.fault).toEqual(scanFault ?? fault('no_header', null, null).fault);
          else expect(found.fault).toMatchObject({ line: first.line, byteOffset: first.start });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('reads the names that @fast-csv/parse reads', async () => {
    const names = fc.uniqueArray(
      cellText.filter((name) => name !== ''),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(names, style, async (written, form) => {
        const file = encodeCsv([written], form);
        fc.pre(!file.toString().startsWith('\ufeff'));
        const parsed: string[][] = [];
        // The first cell keeps the parser from trimming the start of the record.
        const records = parseString<string[], string[]>(`x,${file.toString()}`, { headers: false });
        for await (const [, ...cells] of records) parsed.push(cells);
        expect(await read(file)).toEqual(header(...(parsed[0] ?? [])));
      }),
    );
  });

  it('reads the names that a writer has written', async () => {
    const names = fc.uniqueArray(
      cellText.filter((name) => name !== ''),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(names, style, fc.nat(3), async (written, form, blank) => {
        const file = Buffer.concat([Buffer.from('\n'.repeat(blank)), encodeCsv([written, ['x']], form)]);
        // U+FEFF at the very start of a file is its BOM and no part of a name.
        fc.pre(!file.toString().startsWith('\ufeff'));
        expect(await read(file)).toEqual(header(...written));
      }),
    );
  });
});
