import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';

/** The product that a key gives access to. */
export const keyProductSchema = z.literal('limiter');

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
});

export type ApiKeyDocument = z.infer<typeof apiKeyDocumentSchema>;

/** Row kind `api-key-order`, id: `timelineId` of the key's creation. Lists the keys by time. */
export const apiKeyOrderDocumentSchema = z.strictObject({ keyId: idSchema('key') });

export type ApiKeyOrderDocument = z.infer<typeof apiKeyOrderDocumentSchema>;

/** Row kind `active-keys`, id: {@link ACTIVE_KEYS_ROW}: what the limit of keys counts, a handful by that limit. */
export const activeKeysDocumentSchema = z.strictObject({
  keys: z.array(z.strictObject({ keyId: idSchema('key'), mode: keyModeSchema })),
});

export type ActiveKeysDocument = z.infer<typeof activeKeysDocumentSchema>;

/** There is one such row. */
export const ACTIVE_KEYS_ROW = { kind: 'active-keys', id: 'all' } as const;
