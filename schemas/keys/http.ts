import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { isoTimeSchema } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { keyProductSchema } from '../organizations/api-keys.ts';
import { callCountsSchema } from '../usage/counts.ts';

/** POST `/v1/keys`. */
export const createKeyRequestSchema = z.strictObject({
  idempotencyKey: idempotencyKeySchema,
  product: keyProductSchema,
  mode: keyModeSchema,
  name: nameSchema,
});

/** A key as lists show it: the secret itself is in the answer to its creation and nowhere else. */
export const keySchema = z.strictObject({
  keyId: idSchema('key'),
  product: keyProductSchema,
  mode: keyModeSchema,
  name: nameSchema,
  prefix: z.string(),
  last4: z.string(),
  createdAt: isoTimeSchema,
  createdBy: idSchema('user'),
  /** The beginning of the minute in which it was used last. */
  lastUsedAt: isoTimeSchema.nullable(),
  revokedAt: isoTimeSchema.nullable(),
});

export type KeyAnswer = z.infer<typeof keySchema>;

/** The answer to a creation. `key` is null in the answer to a repeat. */
export const createdKeySchema = keySchema.extend({ key: z.string().nullable() });

/** Query of GET `/v1/keys`. */
export const keyListQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^[0-9]{15}:key_[a-z2-7]{24}$/, 'expected the nextCursor of an earlier answer')
    .optional(),
  limit: pageLimitSchema,
});

export const keyListSchema = z.strictObject({
  keys: z.array(keySchema),
  nextCursor: z.string().nullable(),
});

export const keyParamsSchema = z.strictObject({ keyId: idSchema('key') });

const usageUnitSchema = z.enum(['hour', 'day']);

export type UsageUnit = z.infer<typeof usageUnitSchema>;

const timeSchema = isoTimeSchema.transform((text) => Date.parse(text)).optional();

/**
 * Query of GET `/v1/keys/{keyId}/usage`. `from` is rounded down to its hour or day in
 * UTC, `to` up. The range excludes `to`.
 */
export const keyUsageQuerySchema = z
  .strictObject({ from: timeSchema, to: timeSchema, unit: usageUnitSchema.default('hour') })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'expected a later time than from',
  });

export type KeyUsageQuery = z.infer<typeof keyUsageQuerySchema>;

/** Calls of a key over time, one point for every hour or day, those without calls too. */
export const keyUsageSchema = z.strictObject({
  unit: usageUnitSchema,
  points: z.array(callCountsSchema.extend({ at: isoTimeSchema })),
  /** Calls of this UTC month that reached a counter. */
  month: z.strictObject({ used: z.int().nonnegative() }),
});
