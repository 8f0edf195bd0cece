import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { DAY_MS, epochMsSchema, MINUTE_MS } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';
import { keyModeSchema } from '../limiter/keys.ts';

/** The product that a key gives access to. */
export const keyProductSchema = z.literal('limiter').describe('The product that the key opens.');

/**
 * The least time between setting an expiry and the expiry. Statuses that were read before are cached for a shorter time, so
 * that none outlives the expiry.
 */
export const KEY_EXPIRY_LEAD_MS = 2 * MINUTE_MS;

/** The longest time for which a replaced key may still be used. */
const KEY_OVERLAP_MAX_MS = 30 * DAY_MS;

/** Milliseconds for which a replaced key may still be used: none, or long enough for its end to be exact. */
export const keyOverlapSchema = z
  .union([z.literal(0), z.int().min(KEY_EXPIRY_LEAD_MS).max(KEY_OVERLAP_MAX_MS)])
  .register(wireForms, { replaces: { type: 'integer', minimum: 0, maximum: KEY_OVERLAP_MAX_MS } });

/** Row kind `api-key`, id: the key's. The authority on whether it may be used. */
export const apiKeyDocumentSchema = z.strictObject({
  product: keyProductSchema,
  mode: keyModeSchema,
  name: nameSchema,
  /** SHA-256 of the key. */
  digest: sha256Schema,
  last4: z.string().length(4),
  createdAt: epochMsSchema,
  createdBy: idSchema('user'),
  /** For good: a revoked key never works again. */
  revokedAt: epochMsSchema.nullable(),
  /** The key ends at this time as if it were revoked then. Without it the key has no end. */
  expiresAt: epochMsSchema.optional(),
  replacedBy: idSchema('key').optional(),
  /** Windows of identifiers that were ended by a person or with this key. Absent: none. */
  windowsEnded: z.int().positive().optional(),
});

export type ApiKeyDocument = z.infer<typeof apiKeyDocumentSchema>;

/** Row kind `api-key-order`, id: `timelineId` of the key's creation. Lists the keys by time. */
export const apiKeyOrderDocumentSchema = z.strictObject({ keyId: idSchema('key') });

export type ApiKeyOrderDocument = z.infer<typeof apiKeyOrderDocumentSchema>;

/** True if a key can never be used again at `now` (Unix milliseconds). */
export function hasKeyEnded(
  { revokedAt, expiresAt }: Pick<ApiKeyDocument, 'revokedAt' | 'expiresAt'>,
  now: number,
): boolean {
  return revokedAt !== null || (expiresAt !== undefined && expiresAt <= now);
}

/**
 * Row kind `active-keys`, id: {@link ACTIVE_KEYS_ROW}: the keys that are not revoked, at most twice the limit of keys.
 * Expired ones are left out by the next change.
 */
export const activeKeysDocumentSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      keyId: idSchema('key'),
      mode: keyModeSchema,
      expiresAt: epochMsSchema.optional(),
      /** True for a key that waits for its end: the limit counts the one that replaced it. */
      isReplaced: z.literal(true).optional(),
    }),
  ),
});

export type ActiveKeysDocument = z.infer<typeof activeKeysDocumentSchema>;

/** There is one such row. */
export const ACTIVE_KEYS_ROW = { kind: 'active-keys', id: 'all' } as const;
