import { createRequire } from 'node:module';

/** The block format. The package has no types. */
interface SnappyBlocks {
  compress(bytes: Buffer): Buffer;
  uncompress(packed: Buffer, lengthMax?: number): Buffer;
}

const blocks = createRequire(import.meta.url)('snappyjs') as SnappyBlocks;

/** Prefix of streams by Kafka's Java clients and brokers. Other writers send a single block. */
const STREAM_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);

/** The magic and two version numbers. */
const STREAM_HEADER_BYTES = 16;
const LENGTH_BYTES = 4;

export function compressSnappy(bytes: Buffer): Buffer {
  return blocks.compress(bytes);
}

/**
 * Unpacks one Snappy block, or a stream of blocks in the framing of snappy-java.
 *
 * @throws {Error} if the bytes are not Snappy, end too early, or unpack to more than `bytesMax`
 */
export function decompressSnappy(packed: Buffer, bytesMax: number): Buffer {
  if (!packed.subarray(0, STREAM_MAGIC.length).equals(STREAM_MAGIC))
    return blocks.uncompress(packed, bytesMax);
  const pieces: Buffer[] = [];
  let unpacked = 0;
  for (let at = STREAM_HEADER_BYTES; at < packed.length; ) {
    const start = at + LENGTH_BYTES;
    const end = start + packed.readUInt32BE(at);
    if (end > packed.length) throw new Error('unpacking Snappy: a block ends behind the last byte');
    const piece = blocks.uncompress(packed.subarray(start, end), bytesMax - unpacked);
    pieces.push(piece);
    unpacked += piece.length;
    at = end;
  }
  return Buffer.concat(pieces, unpacked);
}
