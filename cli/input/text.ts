import { usageFailure } from '../failure.ts';

/** The first bytes of a text in UTF-16, as PowerShell 5 writes one. */
const UTF_16 = ['fffe', 'feff'];

/**
 * Returns bytes in UTF-8 as a text, without a byte order mark.
 *
 * @param source names the place of them in the message of a failure
 * @throws {CommandFailure} if they are not UTF-8
 */
export function utf8Text(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = UTF_16.includes(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
    throw usageFailure(`${source} is ${isUtf16 ? 'UTF-16' : 'not UTF-8'}. Save it as UTF-8.`);
  }
}
