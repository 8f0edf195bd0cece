import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from '../imports/file-faults.ts';
import { isBlank, RecordScanner, type ScannedRecord, type ScanOrigin } from './scanner.ts';
import { chunkingsOf, hostileBytes } from './testing/arbitraries.ts';
import { cutAt, everyChunking, inReusedMemory } from './testing/chunkings.ts';
import { fixture, fixtureNames } from './testing/fixtures.ts';
import { referenceScan } from './testing/reference-scan.ts';

interface Result {
  records: ScannedRecord[];
  fault: FileFault | null;
}

function scan(chunks: Iterable<Uint8Array>, origin?: ScanOrigin): Result {
  const records: ScannedRecord[] = [];
  const scanner = new RecordScanner((record) => records.push(record), origin);
  for (const chunk of chunks) scanner.write(chunk);
  return { records, fault: scanner.finish() };
}

/** The records as text, with a mark for what follows them. */
function texts(bytes: Buffer): string[] {
  return scan([bytes]).records.map((record) => bytes.subarray(record.start, record.end).toString());
}

function withoutGrowth({ records, fault }: Result) {
  return { records: records.map(({ growth: _, ...record }) => record), fault };
}

describe('RecordScanner', () => {
  it('keeps commas, quotes and line ends inside quotes', () => {
    expect(texts(fixture('quoted'))).toEqual([
      'id,quote,note',
      '1,"He said ""hi"", then left","first line\nsecond line"',
      '2,"","""quoted"""',
      '3,plain,"a,b,,c"',
    ]);
    expect(scan([fixture('quoted')]).records.map(({ columns, line }) => ({ columns, line }))).toEqual([
      { columns: 3, line: 1 },
      { columns: 3, line: 2 },
      { columns: 3, line: 4 },
      { columns: 3, line: 5 },
    ]);
  });

  it('ends records with LF, CRLF or the file, in any mix, and keeps every line end inside quotes', () => {
    expect(texts(fixture('mixed-line-ends'))).toEqual(['a,b', '1,2', '3,4', '5,6']);
    expect(texts(fixture('no-trailing-newline'))).toEqual(['a,b', '1,2', '3,4']);
    expect(texts(fixture('one-trailing-newline'))).toEqual(['a,b', '1,2', '3,4']);
    expect(texts(fixture('two-trailing-newlines'))).toEqual(['a,b', '1,2', '3,4', '']);
    expect(texts(fixture('quoted-crlf')).slice(1)).toEqual([
      '1,"kept\r\nas it is"',
      '2,"kept\nas it is"',
      '3,"kept\ras it is"',
    ]);
  });

  it('tells a blank line from a record of empty fields', () => {
    const blank = scan([Buffer.from('\n\r\n""\n,\n \n\n')]).records.map(isBlank);
    expect(blank).toEqual([true, true, false, false, false, true]);
  });

  it('drops a BOM at the start of the file and nowhere else', () => {
    expect(scan([fixture('bom-quoted-header')]).records[0]).toMatchObject({ start: 3, end: 18, columns: 2 });
    expect(scan([fixture('bom-only')])).toEqual({ records: [], fault: null });
    expect(texts(Buffer.from('\ufeff\ufeffa\n'))).toEqual(['\ufeffa']);
    const range = Buffer.from('\ufeffa\n');
    expect(scan([range], { offset: 10, line: 3 }).records).toMatchObject([{ start: 10, end: 14, line: 3 }]);
  });

  it.each([
    ['lone-cr', { code: 'lone_cr', line: 2, byteOffset: 7 }],
    ['cr-at-end', { code: 'lone_cr', line: 2, byteOffset: 7 }],
    ['nul-byte', { code: 'nul_byte', line: 3, byteOffset: 10 }],
    ['nul-in-quotes', { code: 'nul_byte', line: 3, byteOffset: 9 }],
    ['stray-quote', { code: 'stray_quote', line: 2, byteOffset: 24 }],
    ['text-after-quote', { code: 'stray_quote', line: 3, byteOffset: 11 }],
    ['space-around-quote', { code: 'stray_quote', line: 2, byteOffset: 7 }],
    ['unclosed-quote', { code: 'unclosed_quote', line: 3, byteOffset: 10 }],
    ['utf16le', { code: 'nul_byte', line: 1, byteOffset: 1 }],
    ['utf16be', { code: 'nul_byte', line: 1, byteOffset: 0 }],
  ])('refuses %s where it stands', (name, fault) => {
    expect(scan([fixture(name)]).fault).toEqual(fault);
  });

  it('keeps the records before a fault, gives none after it and stays with the first', () => {
    const { records, fault } = scan([Buffer.from('a\nb\nc"\n'), Buffer.from('d\n\0')]);
    expect(records).toHaveLength(2);
    expect(fault).toEqual({ code: 'stray_quote', line: 3, byteOffset: 5 });
  });

  it('lets a NUL inside an open quote beat the missing end, which only the end of the file tells', () => {
    expect(scan([Buffer.from('"ab\0')]).fault).toEqual({ code: 'nul_byte', line: 1, byteOffset: 3 });
  });

  it('gives the same for every split point of every fixture', () => {
    for (const name of fixtureNames()) {
      const bytes = fixture(name);
      const expected = scan([bytes]);
      for (const chunks of everyChunking(bytes)) expect(scan(inReusedMemory(chunks)), name).toEqual(expected);
    }
  });

  it('agrees with a second reading of the rules on every fixture', () => {
    for (const name of fixtureNames()) {
      expect(withoutGrowth(scan([fixture(name)])), name).toEqual(referenceScan(fixture(name)));
    }
  });

  it('agrees with a second reading of the rules on hostile bytes, however they are cut', () => {
    fc.assert(
      fc.property(
        hostileBytes.chain((bytes) => fc.tuple(fc.constant(bytes), chunkingsOf(bytes))),
        ([bytes, cuts]) => {
          expect(withoutGrowth(scan(cutAt(bytes, cuts)))).toEqual(referenceScan(bytes));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('covers the file without gap or overlap, and counts lines as the file has them', () => {
    fc.assert(
      fc.property(hostileBytes, (bytes) => {
        const { records, fault } = scan([bytes]);
        for (const [index, record] of records.entries()) {
          const previous =
            records[index - 1]?.next ?? (bytes.toString('latin1').startsWith('\u00ef\u00bb\u00bf') ? 3 : 0);
          expect(record.start).toBe(previous);
          expect(record.end).toBeLessThanOrEqual(record.next);
          expect(record.line).toBe(bytes.subarray(0, record.start).toString('latin1').split('\n').length);
        }
        if (fault === null && bytes.length > 3) expect(records.at(-1)?.next).toBe(bytes.length);
      }),
    );
  });

  it('finds the same records when it starts at any of them', () => {
    const bytes = fixture('quoted');
    const { records } = scan([bytes]);
    for (const [index, { start, line }] of records.entries()) {
      expect(scan([bytes.subarray(start)], { offset: start, line }).records).toEqual(records.slice(index));
    }
  });
});
