import { createHash } from 'node:crypto';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { registerCodecs, UNPACKED_BYTES_MAX } from './codecs.ts';
import { decompressLz4 } from './lz4.ts';
import { compressSnappy, decompressSnappy } from './snappy.ts';
import vectors from './vectors/packed.json' with { type: 'json' };

const text = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `line ${index % 50}\n`).join(''));

/** The original bytes of the vectors, which another implementation has packed. */
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

/** Frames blocks like snappy-java: magic, two versions, then each block behind its length. */
function framed(...blocks: Buffer[]): Buffer {
  const header = Buffer.from('82534e415050590000000001 00000001'.replace(' ', ''), 'hex');
  const lengths = blocks.map(({ length }) => Buffer.from(length.toString(16).padStart(8, '0'), 'hex'));
  return Buffer.concat([header, ...blocks.flatMap((block, index) => [lengths[index]!, block])]);
}

describe('LZ4', () => {
  it.each(Object.entries(vectors.lz4))('unpacks %s', (_, vector) => {
    expect(decompressLz4(bytesOf(vector), UNPACKED_BYTES_MAX).equals(originals[vector.of]!)).toBe(true);
  });

  it('rejects every truncated frame', () => {
    const whole = bytesOf(vectors.lz4['linked blocks with sizes and checksums']);
    // A frame that lacks only its last four bytes, the checksum of the content, still unpacks.
    for (let length = 0; length < whole.length - 4; length += 1) {
      expect(() => decompressLz4(whole.subarray(0, length), UNPACKED_BYTES_MAX)).toThrow('unpacking LZ4');
    }
  });

  it('rejects a frame that unpacks to more than the bound', () => {
    const packed = bytesOf(vectors.lz4['a run of one byte']);
    expect(decompressLz4(packed, 70_000)).toHaveLength(70_000);
    expect(() => decompressLz4(packed, 69_999)).toThrow('unpacks to more than 69999 bytes');
  });

  it('ends on any bytes behind a valid header, and never exceeds the bound', () => {
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
    ['another magic', (frame: Buffer) => frame.writeUInt8(0, 0), 'it is not a frame'],
    ['another version', (frame: Buffer) => frame.writeUInt8(0b1000_0000, 4), 'the version is unknown'],
    ['a dictionary', (frame: Buffer) => frame.writeUInt8(0b0100_0001, 4), 'it needs a dictionary'],
  ])('rejects %s', (_, change, reason) => {
    const frame = bytesOf(vectors.lz4['no blocks']);
    change(frame);
    expect(() => decompressLz4(frame, UNPACKED_BYTES_MAX)).toThrow(reason);
  });
});

describe('Snappy', () => {
  const packed = bytesOf(vectors.snappy['one block']);

  it('unpacks a single block, and several in a frame', () => {
    const opening = originals['opening']!;
    expect(decompressSnappy(packed, UNPACKED_BYTES_MAX).equals(opening)).toBe(true);
    const twice = decompressSnappy(framed(packed, packed), UNPACKED_BYTES_MAX);
    expect(twice.equals(Buffer.concat([opening, opening]))).toBe(true);
  });

  it('unpacks its own output', () => {
    expect(decompressSnappy(compressSnappy(text), UNPACKED_BYTES_MAX).equals(text)).toBe(true);
  });

  it('rejects a truncated block, and output beyond the bound', () => {
    const cut = framed(packed).subarray(0, -1);
    expect(() => decompressSnappy(cut, UNPACKED_BYTES_MAX)).toThrow('a block ends behind the last byte');
    expect(() => decompressSnappy(framed(packed, packed), 9_999)).toThrow();
    expect(decompressSnappy(framed(packed, packed), 10_000)).toHaveLength(10_000);
  });
});

describe('the codecs of the client', () => {
  it.each(['ZSTD', 'Snappy'] as const)('unpacks its own %s output', async (name) => {
    registerCodecs();
    const codec = kafkajs.CompressionCodecs[kafkajs.CompressionTypes[name]]();
    const unpacked: Buffer = await codec.decompress(await codec.compress({ buffer: text }));
    expect(unpacked.equals(text)).toBe(true);
  });
});
