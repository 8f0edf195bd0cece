import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { cursorSchema, nextCursorSchema, pageLimitSchema } from '../base/paging.ts';
import { DAY_MS, isoTimeSchema, pointInTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { exampleLimiterKey, keyModeSchema } from '../limiter/keys.ts';
import { keyOverlapSchema, keyProductSchema } from '../organizations/api-keys.ts';
import { callCountsSchema } from '../usage/counts.ts';

const name = nameSchema.meta({ description: 'A name to tell keys apart.', example: 'Backend' });

/** An expiry that the operator of an example does not have to change. */
const FAR_AHEAD = '2099-12-31T00:00:00.000Z';

export const createKeyRequestSchema = z
  .strictObject({
    idempotencyKey: idempotencyKeySchema,
    product: keyProductSchema,
    mode: keyModeSchema,
    name,
    expiresAt: pointInTimeSchema.optional().meta({
      description:
        'The time at which the key ends, at least two minutes ahead. Without it the key has no end.',
      example: FAR_AHEAD,
    }),
  })
  .meta({ id: 'CreateKeyRequest', description: 'A key to be created.' });

/** A member that is left out stays as it is. */
export const changeKeyRequestSchema = z
  .strictObject({
    name: name.optional().meta({ example: 'Backend' }),
    expiresAt: pointInTimeSchema.nullable().optional().meta({
      description: 'The time at which the key ends, at least two minutes ahead; null removes it.',
      example: FAR_AHEAD,
    }),
  })
  .meta({ id: 'ChangeKeyRequest', description: 'Another name, another expiry, or both.' });

export const rotateKeyRequestSchema = z
  .strictObject({
    idempotencyKey: idempotencyKeySchema,
    overlapMs: keyOverlapSchema.meta({
      description:
        'Milliseconds until the replaced key ends: 0 revokes it at once; otherwise at least two minutes and at most 30 days.',
      example: DAY_MS,
    }),
  })
  .meta({ id: 'RotateKeyRequest', description: 'How long the replaced key may still be used.' });

const keyFields = {
  keyId: idSchema('key'),
  product: keyProductSchema,
  mode: keyModeSchema,
  name,
  prefix: z.string().meta({
    description: 'The beginning that all keys of the mode share.',
    example: 'svc_limiter_test_',
  }),
  last4: z.string().meta({
    description: 'The last four characters of the secret, to tell one from another.',
    get example() {
      return exampleLimiterKey().slice(-4);
    },
  }),
  createdAt: isoTimeSchema,
  createdBy: idSchema('user').describe('The person who created it.'),
  lastUsedAt: isoTimeSchema.nullable().meta({
    description: 'The start of the minute of the latest use; null before the first one.',
    example: null,
  }),
  revokedAt: isoTimeSchema
    .nullable()
    .meta({ description: 'The time of the revocation; null while it is in force.', example: null }),
  expiresAt: isoTimeSchema.nullable().meta({
    description: 'The time at which the key ends as if it were revoked; null for a key without an end.',
    example: null,
  }),
  replacedBy: idSchema('key')
    .nullable()
    .meta({ description: 'The key that replaced it by a rotation, or null.', example: null }),
};

/** A key as lists show it: the secret itself is in the answer to its creation and nowhere else. */
export const keySchema = z
  .strictObject(keyFields)
  .meta({ id: 'ApiKey', description: 'A key without its secret.' });

export type KeyAnswer = z.infer<typeof keySchema>;

/** The answer to a creation. */
export const createdKeySchema = keySchema
  .extend({
    key: z
      .string()
      .nullable()
      .meta({
        description: 'The secret. Only the first answer has it; a repeat has null.',
        get example() {
          return exampleLimiterKey();
        },
      }),
  })
  .meta({ id: 'CreatedKey', description: 'A new key with its secret.' });

export const keyListQuerySchema = z.strictObject({
  cursor: cursorSchema(
    z.string().regex(/^[0-9]{15}:key_[a-z2-7]{24}$/, 'expected the nextCursor of an earlier answer'),
  ),
  limit: pageLimitSchema,
});

export const keyListSchema = z
  .strictObject({
    keys: z.array(keySchema).describe('The keys, newest first, including revoked ones.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({ id: 'ApiKeyList', description: 'One page of keys.' });

const usageUnitSchema = z.enum(['hour', 'day']);

export type UsageUnit = z.infer<typeof usageUnitSchema>;

/**
 * Query of GET `/v1/keys/{keyId}/usage`. `from` is rounded down to its hour or day in
 * UTC, `to` up. The range excludes `to`.
 */
export const keyUsageQuerySchema = z
  .strictObject({
    from: pointInTimeSchema.optional().meta({
      description: 'The first moment to include. It is rounded down to its hour or day in UTC.',
      example: '2026-09-07T00:00:00.000Z',
    }),
    to: pointInTimeSchema.optional().meta({
      description:
        'The first moment that is not included. It is rounded up to the end of its hour or day in UTC.',
      example: '2026-09-08T00:00:00.000Z',
    }),
    // Hours of the example would be forgotten some day.
    unit: usageUnitSchema
      .default('hour')
      .meta({ description: 'The length of the periods that are counted.', example: 'day' }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'expected a later time than from',
  });

export type KeyUsageQuery = z.infer<typeof keyUsageQuerySchema>;

export const usagePointSchema = callCountsSchema
  .extend({ at: isoTimeSchema.describe('The start of the period.') })
  .meta({ id: 'KeyUsagePoint', description: 'Calls of one hour or day.' });

/** Calls of a key over time. */
export const keyUsageSchema = z
  .strictObject({
    unit: usageUnitSchema.describe('The length of the periods.'),
    points: z.array(usagePointSchema).describe('One point for each period, including those without calls.'),
    month: z
      .strictObject({
        used: z.int().nonnegative().meta({ description: 'Calls that reached a counter.', example: 42 }),
      })
      .meta({ id: 'KeyUsageMonth', description: 'The current UTC month.' }),
  })
  .meta({
    id: 'KeyUsage',
    description: 'Calls of a key over time, as far as they have been published.',
  });

const deniedWindowSchema = z
  .strictObject({
    namespace: z.string().meta({ description: '`namespace` of the checks.', example: 'login' }),
    identifier: z.string().meta({ description: '`identifier` of the checks.', example: 'user-17' }),
    window: z.int().positive().meta({
      description: '`window` of the checks: its length in milliseconds.',
      example: 60_000,
    }),
    denied: z.int().positive().meta({ description: 'Calls that were denied by the limit.', example: 12 }),
  })
  .meta({ id: 'DeniedWindow', description: 'One window of an identifier.' });

export const deniedWindowsSchema = z
  .strictObject({
    since: isoTimeSchema.describe('The time since which the calls are counted.'),
    windows: z.array(deniedWindowSchema).describe('The most denied first, at most 50.'),
  })
  .meta({ id: 'DeniedWindows', description: 'Windows of identifiers that denied calls of a key.' });

/** The answer to POST `/v1/keys/{keyId}/window`. */
export const keyWindowSchema = z
  .strictObject({
    used: z.int().nonnegative().meta({
      description: 'Units in use in the window; 0 if none is running.',
      example: 5,
    }),
    startedAt: isoTimeSchema
      .nullable()
      .describe('The time of the first request of the window; null if none is running.'),
    endsAt: isoTimeSchema.nullable().describe('The time at which the window ends; null if none is running.'),
    denied: z.int().nonnegative().meta({
      description: 'Calls of this key that the identifier was denied in windows of this length, lately.',
      example: 12,
    }),
    windowsEnded: z.int().nonnegative().meta({
      description: 'Windows, of any identifier, that were reset with this key or by a person for this key.',
      example: 0,
    }),
    deniedSince: isoTimeSchema.describe(
      'The time since which denied calls are counted: one to two days ago.',
    ),
  })
  .meta({ id: 'KeyWindow', description: 'What stands in the window of an identifier.' });
