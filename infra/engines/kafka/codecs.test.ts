import { createHash } from 'node:crypto';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { registerCodecs, UNPACKED_BYTES_MAX } from './codecs.ts';
import { decompressLz4 } from './lz4.ts';
import { compressSnappy, decompressSnappy } from './snappy.ts';
import vectors from './vectors/packed.json' with { type: 'json' };

const text = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `line ${index % 50}\n`).join(''));

/** What the vectors were packed from, by another implementation. */
const originals: Readonly<Record<string, Buffer>> = {
  text,
  opening: text.subarray(0, 5_000),
  noise: Buffer.concat(
    [0, 1, 2, 3].map((byte) =>
      createHash('sha256')
        .update(Buffer.from([byte]))
        .digest(),
    ),
  ),
  run: Buffer.alloc(70_000, 'a'),
  empty: Buffer.alloc(0),
};

const bytesOf = ({ packed }: { packed: string }): Buffer => Buffer.from(packed, 'base64');

/** The framing of snappy-java: magic, two versions, then blocks behind their lengths. */
function framed(...blocks: Buffer[]): Buffer {
  const header = Buffer.from('82534e415050590000000001 00000001'.replace(' ', ''), 'hex');
  const lengths = blocks.map(({ length }) => Buffer.from(length.toString(16).padStart(8, '0'), 'hex'));
  return Buffer.concat([header, ...blocks.flatMap((block, index) => [lengths[index]!, block])]);
}

describe('LZ4', () => {
  it.each(Object.entries(vectors.lz4))('unpacks %s', (_, vector) => {
    expect(decompressLz4(bytesOf(vector), UNPACKED_BYTES_MAX).equals(originals[vector.of]!)).toBe(true);
  });

  it('refuses every frame that is cut off', () => {
    const whole = bytesOf(vectors.lz4['linked blocks with sizes and checksums']);
    // Without the last four bytes, the checksum of the content, everything that counts is still there.
    for (let length = 0; length < whole.length - 4; length += 1) {
      expect(() => decompressLz4(whole.subarray(0, length), UNPACKED_BYTES_MAX)).toThrow('unpacking LZ4');
    }
  });

  it('refuses to unpack to more than it may', () => {
    const packed = bytesOf(vectors.lz4['a run of one byte']);
    expect(decompressLz4(packed, 70_000)).toHaveLength(70_000);
    expect(() => decompressLz4(packed, 69_999)).toThrow('unpacks to more than 69999 bytes');
  });

  it('ends on any bytes behind a good header, and never unpacks more than it may', () => {
    const header = bytesOf(vectors.lz4['independent blocks']).subarray(0, 7);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(decompressLz4(Buffer.concat([header, bytes]), 1_000).length).toBeLessThanOrEqual(1_000);
        } catch (error) {
          expect(String(error)).toContain('unpacking LZ4');
        }
      }),
    );
  });

  it.each([
    ['another magic', (frame: Buffer) => frame.writeUInt8(0, 0), 'it is no frame'],
    ['another version', (frame: Buffer) => frame.writeUInt8(0b1000_0000, 4), 'the version is unknown'],
    ['a dictionary', (frame: Buffer) => frame.writeUInt8(0b0100_0001, 4), 'it needs a dictionary'],
  ])('refuses %s', (_, change, reason) => {
    const frame = bytesOf(vectors.lz4['no blocks']);
    change(frame);
    expect(() => decompressLz4(frame, UNPACKED_BYTES_MAX)).toThrow(reason);
  });
});

describe('Snappy', () => {
  const packed = bytesOf(vectors.snappy['one block']);

  it('unpacks one block alone, and several in a frame', () => {
    const opening = originals['opening']!;
    expect(decompressSnappy(packed, UNPACKED_BYTES_MAX).equals(opening)).toBe(true);
    const twice = decompressSnappy(framed(packed, packed), UNPACKED_BYTES_MAX);
    expect(twice.equals(Buffer.concat([opening, opening]))).toBe(true);
  });

  it('unpacks what it has packed', () => {
    expect(decompressSnappy(compressSnappy(text), UNPACKED_BYTES_MAX).equals(text)).toBe(true);
  });

  it('refuses a block that is cut off, and more than it may unpack to', () => {
    const cut = framed(packed).subarray(0, -1);
    expect(() => decompressSnappy(cut, UNPACKED_BYTES_MAX)).toThrow('a block ends behind the last byte');
    expect(() => decompressSnappy(framed(packed, packed), 9_999)).toThrow();
    expect(decompressSnappy(framed(packed, packed), 10_000)).toHaveLength(10_000);
  });
});

describe('the codecs of the client', () => {
  it.each(['ZSTD', 'Snappy'] as const)('unpacks %s as it packed it', async (name) => {
    registerCodecs();
    const codec = kafkajs.CompressionCodecs[kafkajs.CompressionTypes[name]]();
    const unpacked: Buffer = await codec.decompress(await codec.compress({ buffer: text }));
    expect(unpacked.equals(text)).toBe(true);
  });
});
