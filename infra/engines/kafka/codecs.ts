import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import { decompressLz4 } from './lz4.ts';
import { compressSnappy, decompressSnappy } from './snappy.ts';

/** Bytes that one batch of records may unpack to. A broker accepts larger ones only if its settings are changed. */
export const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** A codec in the form that kafkajs requires: an encoder, and a decoder of bytes. */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(packed: Buffer): Promise<Buffer>;
}

const pack = promisify(zstdCompress);
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(zstdDecompress);

const zstandard: Codec = {
  compress: async ({ buffer }) => pack(buffer),
  decompress: (packed) => unpack(packed, { maxOutputLength: UNPACKED_BYTES_MAX }),
};

const snappy: Codec = {
  compress: async ({ buffer }) => compressSnappy(buffer),
  decompress: async (packed) => decompressSnappy(packed, UNPACKED_BYTES_MAX),
};

const lz4: Codec = {
  compress: async () => {
    throw new Error('packing with LZ4, which this service only unpacks');
  },
  decompress: async (packed) => decompressLz4(packed, UNPACKED_BYTES_MAX),
};

/**
 * Registers the codecs that kafkajs lacks. Our own records are not compressed. But the settings of a topic may make a
 * broker compress them, and a compressed record of another writer would end every consumer of the partition.
 */
export function registerCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstandard;
  CompressionCodecs[CompressionTypes.Snappy] = () => snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
}
