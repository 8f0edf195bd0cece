import { isUtf8 } from 'node:buffer';
import type { FileFault } from '../imports/file-faults.ts';
import { countLineFeeds } from './line-feeds.ts';

/**
 * Checks that a file is UTF-8 (RFC 3629) while its bytes pass, in pieces of any size. The fault names the first byte
 * that does not continue a valid prefix of the file, and its physical line; for a broken multi-byte sequence, that is
 * the lead byte. The fault does not depend on the pieces. At most three bytes are buffered. A fault is final: later
 * bytes are ignored.
 */
export class Utf8Check {
  #fault: FileFault | null = null;
  /** The bytes of a sequence that has begun and is not complete; its lead byte is a valid one. */
  #carry: Uint8Array = new Uint8Array(0);
  /** Offset of the first byte that has not been found valid; the carry starts here. */
  #offset = 0;
  #line = 1;

  /** Takes the next bytes of the file. Returns the fault as soon as one is certain. */
  write(chunk: Uint8Array): FileFault | null {
    if (this.#fault !== null) return this.#fault;
    const rest = this.#completeCarry(chunk);
    if (this.#fault !== null || rest.length === 0) return this.#fault;
    const body = rest.subarray(0, rest.length - incompleteTailLength(rest));
    this.#accept(body);
    // A copy, because the caller may reuse the chunk's memory.
    this.#carry = new Uint8Array(rest.subarray(body.length));
    return this.#fault;
  }

  /** Ends the file: a sequence that is still incomplete is a fault. */
  finish(): FileFault | null {
    if (this.#fault === null && this.#carry.length > 0) this.#fail();
    return this.#fault;
  }

  /** Joins the carry with the bytes it lacks and returns what follows them. */
  #completeCarry(chunk: Uint8Array): Uint8Array {
    const [lead] = this.#carry;
    if (lead === undefined) return chunk;
    const missing = sequenceLength(lead) - this.#carry.length;
    const joined = Buffer.concat([this.#carry, chunk.subarray(0, missing)]);
    this.#carry = joined;
    if (chunk.length < missing) return new Uint8Array(0);
    this.#carry = new Uint8Array(0);
    this.#accept(joined);
    return chunk.subarray(missing);
  }

  #accept(bytes: Uint8Array): void {
    const valid = isUtf8(bytes) ? bytes.length : validPrefixLength(bytes);
    this.#line += countLineFeeds(bytes.subarray(0, valid));
    this.#offset += valid;
    if (valid < bytes.length) this.#fail();
  }

  #fail(): void {
    this.#fault = { code: 'invalid_utf8', line: this.#line, byteOffset: this.#offset };
  }
}

/** The number of bytes that a lead byte announces, itself included; 0 for a byte that cannot lead (RFC 3629, section 4). */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

/** The number of bytes at the end that begin a sequence without its rest. */
function incompleteTailLength(bytes: Uint8Array): number {
  const backMax = Math.min(3, bytes.length);
  for (let back = 1; back <= backMax; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) !== 0x80) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

/** The length of the longest prefix that is valid UTF-8. */
function validPrefixLength(bytes: Uint8Array): number {
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes[index] as number);
    if (length === 0 || !isUtf8(bytes.subarray(index, index + length))) return index;
    index += length;
  }
  return index;
}
