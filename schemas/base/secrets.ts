import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { sha256Hex } from './digest.ts';
import { base62, base62Number, exampleBytes } from './ids.ts';
import { wireForms } from './wire.ts';

/** Bytes of entropy behind one secret. */
export const SECRET_BYTES = 32;

const BODY_CHARACTERS = 34;
const CHECKSUM_CHARACTERS = 6;
const SECRET_PATTERN = /^svc_([a-z]+)_([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/;

/**
 * Builds a bearer secret of the service: `svc_{kind}_` and 40 base62 characters, the last six a CRC-32 of everything before
 * them, prefix included. A secret scanner and the gateway reject a mistyped one without reading an index.
 *
 * @param kind lower-case letters
 * @param bytes at least 32 random or derived bytes; the same bytes give the same secret. */
export function secretFrom(kind: string, bytes: Uint8Array): string {
  if (bytes.length < SECRET_BYTES) throw new RangeError(`a secret takes ${SECRET_BYTES} bytes`);
  const head = `svc_${kind}_${base62(bytes.subarray(0, SECRET_BYTES), BODY_CHARACTERS)}`;
  return head + checksum(head);
}

/**
 * True if a text is a well-formed secret of this kind, with the right checksum. A well-formed secret may still be
 * unknown or revoked.
 */
export function isSecret(kind: string, text: string): boolean {
  const match = SECRET_PATTERN.exec(text);
  if (match === null || match[1] !== kind) return false;
  const head = text.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(head) === match[3];
}

/** The zod schema of a well-formed secret of one kind, for secrets that travel in a body. */
export function secretSchema(kind: string) {
  const expected = `expected svc_${kind}_ and 40 letters and digits with a valid checksum`;
  return z
    .string()
    .regex(new RegExp(patternOf(kind)), { error: expected, abort: true })
    .refine((text) => isSecret(kind, text), expected)
    .register(z.globalRegistry, {
      get example() {
        return exampleSecret(kind);
      },
    });
}

/** Like {@link secretSchema}, where a text of another form is answered like a secret that is unknown. */
export function triedSecretSchema(kind: string) {
  return z
    .string()
    .meta({ example: exampleSecret(kind) })
    .register(wireForms, { adds: { pattern: patternOf(kind) } });
}

function patternOf(kind: string): string {
  return `^svc_${kind}_[0-9A-Za-z]{40}$`;
}

/** A well-formed secret that the service never issues: it is derived from its kind alone. */
export function exampleSecret(kind: string): string {
  return secretFrom(kind, exampleBytes(kind));
}

/** Returns the stored form of a secret: its SHA-256 as hexadecimal. */
export function secretDigest(secret: string): string {
  return sha256Hex(secret);
}

/** Returns the last four characters of a secret, which a list may show besides its prefix. */
export function lastFour(secret: string): string {
  return secret.slice(-4);
}

function checksum(head: string): string {
  return base62Number(crc32(head), CHECKSUM_CHARACTERS);
}
