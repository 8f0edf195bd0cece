import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from '../imports/file-faults.ts';
import { chunkingsOf, nearlyUtf8 } from './testing/arbitraries.ts';
import { type Chunking, cutAt, everyChunking, inReusedMemory } from './testing/chunkings.ts';
import { fixture, fixtureNames } from './testing/fixtures.ts';
import { Utf8Check } from './utf8.ts';

function check(chunks: Iterable<Uint8Array>): FileFault | null {
  const utf8 = new Utf8Check();
  for (const chunk of chunks) utf8.write(chunk);
  return utf8.finish();
}

function fault(line: number, byteOffset: number): FileFault {
  return { code: 'invalid_utf8', line, byteOffset };
}

describe('Utf8Check', () => {
  it.each([
    ['invalid-utf8', fault(3, 12)],
    ['truncated-utf8', fault(3, 11)],
    ['utf16le-bom', fault(1, 0)],
    ['utf16be-bom', fault(1, 0)],
    ['unicode', null],
    ['bom-quoted-header', null],
    ['empty', null],
  ])('judges %s', (name, expected) => {
    expect(check([fixture(name)])).toEqual(expected);
  });

  it.each([
    ['a lone continuation byte', '4180', fault(1, 1)],
    ['an overlong form', '410ac0af', fault(2, 2)],
    ['a three-byte overlong form', 'e08080', fault(1, 0)],
    ['a surrogate', '0aeda080', fault(2, 1)],
    ['a code point beyond U+10FFFF', 'f4908080', fault(1, 0)],
    ['a sequence broken by a line end', '0a0ae2820a41', fault(3, 2)],
    ['a lead byte at the end', '61c3', fault(1, 1)],
  ])('finds %s', (_, hex, expected) => {
    expect(check([Buffer.from(hex, 'hex')])).toEqual(expected);
  });

  it('counts CRLF once, and a single CR not at all', () => {
    expect(check([Buffer.from('a\r\nb\rc\r\n\xff', 'latin1')])).toEqual(fault(3, 8));
  });

  it('gives the same answer for every split point of every fixture', () => {
    for (const name of fixtureNames()) {
      const bytes = fixture(name);
      const expected = check([bytes]);
      for (const chunks of everyChunking(bytes))
        expect(check(inReusedMemory(chunks)), name).toEqual(expected);
    }
  });

  it('accepts exactly what is UTF-8, and names the end of the longest valid prefix', () => {
    fc.assert(
      fc.property(
        nearlyUtf8.chain((bytes) => fc.tuple(fc.constant(bytes), chunkingsOf(bytes))),
        ([bytes, cuts]) => {
          const found = check(inReusedMemory(cutAt(bytes, cuts)));
          const prefixes = Array.from({ length: bytes.length + 1 }, (_, length) => length);
          const longest = prefixes.findLast((length) => isUtf8(bytes.subarray(0, length))) ?? 0;
          expect(found?.byteOffset ?? bytes.length).toBe(longest);
          const lines = bytes.subarray(0, longest).toString().split('\n').length;
          expect(found?.line ?? lines).toBe(lines);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reports a fault as soon as it is certain and keeps it', () => {
    const utf8 = new Utf8Check();
    expect(utf8.write(Buffer.from('a\n'))).toBeNull();
    expect(utf8.write(Buffer.from([0xff]))).toEqual(fault(2, 2));
    expect(utf8.write(Buffer.from([0xff]))).toEqual(fault(2, 2));
    expect(utf8.finish()).toEqual(fault(2, 2));
  });

  it('carries every sequence of a long file over chunks of one byte', () => {
    const chunks: Chunking = Array.from(Buffer.alloc(200_000, '😀'), (byte) => Uint8Array.of(byte));
    expect(check(chunks)).toBeNull();
  });
});
