import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from './json.ts';

/** A SHA-256 digest as 64 lower-case hexadecimal characters. */
export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal characters');

/** SHA-256 of bytes, or of a string's UTF-8 bytes, as 64 lower-case hexadecimal characters. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** SHA-256 over the canonical JSON (RFC 8785) of a value. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/**
 * HMAC-SHA256 over parts that are joined without ambiguity (as a canonical JSON array), so that `('a', 'bc')` and
 * `('ab', 'c')` differ. 32 bytes.
 */
export function keyedDigest(secret: string, ...parts: (string | number)[]): Buffer {
  return createHmac('sha256', secret).update(canonicalJson(parts)).digest();
}

/** Compares two digests in a time that does not depend on where they differ. */
export function digestsEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
