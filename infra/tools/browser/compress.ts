import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Files that have been compressed already. */
const COMPRESSED = /\.woff2$/;
/** The least that a compressed file saves. Below it the header and the second file cost more. */
const SAVED_BYTES_MIN = 64;

/** Writes a file once more in each content coding that makes it smaller. */
export function compress(file: string): void {
  if (COMPRESSED.test(file)) return;
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gzip = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
  for (const [end, coded] of [['.br', brotli] as const, ['.gz', gzip] as const]) {
    if (coded.length + SAVED_BYTES_MIN <= bytes.length) writeFileSync(file + end, coded);
  }
}
