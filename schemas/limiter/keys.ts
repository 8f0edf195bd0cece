import { z } from 'zod';
import { sha256Hex } from '../base/digest.ts';
import { base62, exampleBytes } from '../base/ids.ts';

/** The modes of keys. Test keys always work; live keys need a subscription. */
export const KEY_MODES = ['test', 'live'] as const;

export const keyModeSchema = z.enum(KEY_MODES).meta({
  id: 'KeyMode',
  description: '`test` keys need no subscription; `live` keys need an active one.',
});

export type KeyMode = z.infer<typeof keyModeSchema>;

/**
 * The status of a key. Only `active` keys are accepted. `payment-required`: a live key without an active
 * subscription.
 */
export const keyStatusSchema = z.enum(['active', 'revoked', 'payment-required']);

export type KeyStatus = z.infer<typeof keyStatusSchema>;

/** Bytes of entropy behind one key: 190 of their 192 bits fit into 32 alphanumerics. */
export const LIMITER_KEY_BYTES = 24;

const RANDOM_CHARACTERS = 32;
const KEY_PATTERN = /^svc_limiter_(test|live)_[0-9A-Za-z]{32}$/;

/** `svc_limiter_{mode}_` and 32 alphanumerics (infra/docs/reference/README.md#credentials), from at least 24 random bytes. */
export function limiterKeyFrom(mode: KeyMode, bytes: Uint8Array): string {
  if (bytes.length < LIMITER_KEY_BYTES) throw new RangeError(`a key takes ${LIMITER_KEY_BYTES} bytes`);
  return `${limiterKeyPrefix(mode)}${base62(bytes.subarray(0, LIMITER_KEY_BYTES), RANDOM_CHARACTERS)}`;
}

/** A key for examples, which the service never issues. */
export function exampleLimiterKey(): string {
  return limiterKeyFrom('test', exampleBytes('limiter'));
}

/** The common prefix of all keys of a mode. A list shows it besides a key's last four characters. */
export function limiterKeyPrefix(mode: KeyMode): string {
  return `svc_limiter_${mode}_`;
}

/** True if a text has the form of a key. A key of that form may still be unknown or revoked. */
export function isLimiterKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/**
 * Returns the stored form of a key, which is also its entry in the index of kind `api-key`: its SHA-256 as
 * hexadecimal.
 */
export function limiterKeyDigest(key: string): string {
  return sha256Hex(key);
}

/** The target of an index entry of kind `api-key`. It never changes. */
export const apiKeyTargetSchema = z.strictObject({
  organizationId: z.string(),
  keyId: z.string(),
  mode: keyModeSchema,
});

export type ApiKeyTarget = z.infer<typeof apiKeyTargetSchema>;
