import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLineFeeds } from './line-feeds.ts';

function counted(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
}

describe('countLineFeeds', () => {
  it('counts as one looks at each byte, wherever the bytes begin in their memory', () => {
    const nearLf = fc.constantFrom(0x0a, 0x0a, 0x0b, 0x09, 0x8a, 0x00, 0xff, 0x2a);
    const text = fc.array(fc.oneof(nearLf, fc.nat(255)), { maxLength: 64 });
    fc.assert(
      fc.property(text, fc.nat(7), (values, offset) => {
        const bytes = new Uint8Array(new ArrayBuffer(offset + values.length + 3), offset, values.length);
        bytes.set(values);
        expect(countLineFeeds(bytes)).toBe(counted(bytes));
      }),
    );
  });

  it.each([1019, 1020, 1021, 4096, 100_003])('counts %i bytes that are all line feeds', (length) => {
    expect(countLineFeeds(new Uint8Array(length).fill(0x0a))).toBe(length);
  });
});
