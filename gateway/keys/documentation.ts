import {
  createdKeySchema,
  createKeyRequestSchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
} from '../../schemas/keys/http.ts';
import { keyModeSchema } from '../../schemas/limiter/keys.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const KEY = {
  keyId: EXAMPLES.keyId,
  product: 'limiter' as const,
  mode: 'test' as const,
  name: 'Backend',
  prefix: 'svc_limiter_test_',
  last4: EXAMPLES.limiterKey.slice(-4),
  createdAt: EXAMPLES.at,
  createdBy: EXAMPLES.userId,
  lastUsedAt: null,
  revokedAt: null,
};
const POINT = { allowed: 40, denied: 2, refused: 0, at: EXAMPLES.at };

const keyMembers = {
  product: 'The product that the key opens.',
  prefix: 'The beginning that all keys of the mode share.',
  createdBy: 'The person who created it.',
  lastUsedAt: 'The start of the minute of the latest use, in UTC; null before the first one.',
};

/** The texts about API keys in the OpenAPI document. */
export const keyDocumentation: ProductDocumentation = {
  tag: {
    name: 'API keys',
    description:
      'Keys with which the backends of an organization call the rate-limit checks, and the use of these keys.',
  },
  parameters: {
    keyId: { description: 'A key of the organization.', example: EXAMPLES.keyId },
    from: {
      description: 'The first moment to include, in UTC. It is rounded down to its hour or day.',
      example: '2026-09-07T00:00:00.000Z',
    },
    to: {
      description: 'The first moment to leave out, in UTC. It is rounded up to the end of its hour or day.',
      example: '2026-09-08T00:00:00.000Z',
    },
    unit: { description: 'The length of the periods that are counted.', example: 'hour' },
    cursor: {
      description: 'The `nextCursor` of the page before.',
      example: `001788775200000:${EXAMPLES.keyId}`,
    },
    limit: { description: 'The largest number of entries to return.', example: 20 },
  },
  schemas: [
    nameSchema(
      'CreateKeyRequest',
      createKeyRequestSchema,
      'A key to be created.',
      { idempotencyKey: 'backend-key-1', product: 'limiter', mode: 'test', name: 'Backend' },
      { product: 'The product that the key opens.', name: 'A name to tell keys apart.' },
    ),
    nameSchema(
      'CreatedKey',
      createdKeySchema,
      'A new key with its secret.',
      { ...KEY, key: EXAMPLES.limiterKey },
      { ...keyMembers, key: 'The secret. Only the first answer has it; a repeat has null.' },
    ),
    nameSchema('ApiKey', keySchema, 'A key without its secret.', KEY, keyMembers),
    nameSchema(
      'ApiKeyList',
      keyListSchema,
      'One page of keys.',
      { keys: [KEY], nextCursor: null },
      { keys: 'The keys, newest first, including revoked ones.' },
    ),
    nameSchema(
      'KeyUsage',
      keyUsageSchema,
      'Calls of a key over time, as far as they have been published.',
      { unit: 'hour', points: [POINT], month: { used: 42 } },
      {
        unit: 'The length of the periods.',
        points: 'One point for each period, including those without calls.',
      },
    ),
    nameSchema('KeyUsagePoint', keyUsageSchema.shape.points.element, 'Calls of one hour or day.', POINT, {
      allowed: 'Calls that were allowed.',
      denied: 'Calls that were denied by the limit of their identifier.',
      refused: 'Calls beyond the quota of the key. They reached no counter.',
      at: 'The start of the period, in UTC.',
    }),
    nameSchema(
      'KeyUsageMonth',
      keyUsageSchema.shape.month,
      'The current UTC month.',
      { used: 42 },
      {
        used: 'Calls that reached a counter.',
      },
    ),
    nameSchema(
      'KeyMode',
      keyModeSchema,
      '`test` keys need no subscription; `live` keys need an active one.',
      'test',
    ),
  ],
  operations: {
    createKey: { description: 'Creates a key. Only the first answer has the secret: store it then.' },
    listKeys: { description: 'Returns the keys, newest first, including revoked ones.' },
    revokeKey: {
      description: 'Revokes a key for good. A repeat gets the same answer.',
      answer: { ...KEY, revokedAt: EXAMPLES.later },
    },
    readKeyUsage: { description: 'Returns the calls of a key by hour or day.' },
  },
};
