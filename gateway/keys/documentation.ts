import {
  createdKeySchema,
  createKeyRequestSchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
} from '../../schemas/keys/http.ts';
import { keyOverviewListSchema, keyOverviewSchema, OVERVIEW_HOURS } from '../../schemas/keys/overview.ts';
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
const CALLS = { allowed: 40, denied: 2, refused: 0 };
const POINT = { ...CALLS, at: EXAMPLES.at };
const NO_USE = { allowed: 0, denied: 0, refused: 0 };
const OVERVIEW = {
  ...KEY,
  hours: Array.from({ length: OVERVIEW_HOURS }, (_, hour) => (hour === OVERVIEW_HOURS - 1 ? CALLS : NO_USE)),
  month: { used: 42 },
};
const KEY_LIMITS = { keysPerMode: 20, testPerMonth: 1_000 };

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
      'KeyOverview',
      keyOverviewSchema,
      'An active key with its use, as far as it has been published.',
      OVERVIEW,
      {
        ...keyMembers,
        hours: 'Calls of each hour, in order. The last entry is the current hour.',
      },
    ),
    nameSchema(
      'KeyOverviewList',
      keyOverviewListSchema,
      'The active keys with their use, and the month of the live keys.',
      { from: EXAMPLES.at, keys: [OVERVIEW], days: [POINT], daysComplete: true, limits: KEY_LIMITS },
      {
        from: 'The start of the first hour of `hours`, in UTC.',
        keys: 'The active keys, newest first.',
        days: 'Calls of all live keys on each day of this UTC month up to today, including those of revoked keys. Days sum up at most 100 keys.',
        daysComplete:
          'False if more than 100 live keys had calls this month: `days` misses the calls of the others.',
      },
    ),
    nameSchema('KeyCalls', keyOverviewSchema.shape.hours.element, 'Calls of one hour.', CALLS, {
      allowed: 'Calls that were allowed.',
      denied: 'Calls that were denied by the limit of their identifier.',
      refused: 'Calls beyond the quota of the key. They reached no counter.',
    }),
    nameSchema('KeyLimits', keyOverviewListSchema.shape.limits, 'The limits in force.', KEY_LIMITS, {
      keysPerMode: 'Active keys of each mode.',
      testPerMonth: 'Calls of one test key in a calendar month (UTC).',
    }),
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
    listKeyOverviews: {
      description:
        'Returns all active keys with their calls in each of the last 36 hours, and the days of this month for the live keys. One request answers for the whole list.',
    },
    revokeKey: {
      description: 'Revokes a key for good. A repeat gets the same answer.',
      answer: { ...KEY, revokedAt: EXAMPLES.later },
    },
    readKeyUsage: { description: 'Returns the calls of a key by hour or day.' },
  },
};
