import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The first byte of a packed artifact. A plain one begins with the bracket of its JSON array. */
const BROTLI = 0x01;

/**
 * The least effort: tables shrink to about a fifth, and more effort costs more time than its bytes would cost an engine.
 */
const OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

/** No partition has an artifact of this size: it has 256 KiB of records, each byte of which takes six at most. */
const ARTIFACT_BYTES_MAX = 4 * 1024 * 1024;

/** The bytes of an artifact, or of row errors, as they are kept: never more than the JSON has. */
export function packArtifact(json: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const compressed = brotliCompressSync(json, OPTIONS);
  if (compressed.length >= json.length) return json;
  const packed = new Uint8Array(1 + compressed.length);
  packed[0] = BROTLI;
  packed.set(compressed, 1);
  return packed;
}

/**
 * The JSON of an artifact that is kept.
 *
 * @throws {Error} when the bytes are damaged.
 */
export function unpackArtifact(kept: Uint8Array): Buffer {
  if (kept[0] !== BROTLI) return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  return brotliDecompressSync(kept.subarray(1), { maxOutputLength: ARTIFACT_BYTES_MAX });
}
