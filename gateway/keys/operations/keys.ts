import { digestsEqual } from '../../../schemas/base/digest.ts';
import { EXAMPLES } from '../../../schemas/base/examples.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { lastFour } from '../../../schemas/base/secrets.ts';
import {
  changeKeyRequestSchema,
  createdKeySchema,
  createKeyRequestSchema,
  keyListQuerySchema,
  keyListSchema,
  keySchema,
  rotateKeyRequestSchema,
} from '../../../schemas/keys/http.ts';
import {
  type KeyMode,
  LIMITER_KEY_BYTES,
  limiterKeyDigest,
  limiterKeyFrom,
} from '../../../schemas/limiter/keys.ts';
import { apiKeyDocumentSchema } from '../../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../../schemas/organizations/documents.ts';
import { dashboardMember, dashboardOwner } from '../../audiences.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { readEach } from '../../http/records/readings.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { keyIdOf } from '../find-keys.ts';
import { keyAnswer } from '../key-answers.ts';
import { lastUseIfReadable, readLastUse } from '../key-usage.ts';
import { readKey } from '../read-key.ts';

export const createKeyRoute = dashboardOwner.post('/keys', {
  name: 'createKey',
  summary: 'Create an API key',
  description: 'Creates a key. Only the first answer has the secret: store it then.',
  body: json(createKeyRequestSchema),
  success: {
    status: 201,
    schema: createdKeySchema,
    description: 'The key; a repeat has null in place of the secret',
  },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ principal, body, services: { entropy }, submit }) {
    const { idempotencyKey, expiresAt, ...wanted } = body;
    const { said, shownOnce } = newKey(wanted.mode, entropy);
    const input = { ...wanted, ...said, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const command = { topic: 'organizations', key: principal.organizationId, type: 'create-key' } as const;
    const made = await submit({ ...command, idempotencyKey, input });
    return { body: { ...keyAnswer(made.keyId, made, null), key: shownOnce(made) } };
  },
});

export const changeKeyRoute = dashboardOwner.patch('/keys/:keyId', {
  name: 'changeKey',
  summary: 'Rename an API key or set its expiry',
  description:
    'Renames a key or sets its expiry. An expiry of a replaced key can only be moved to an earlier time.',
  body: json(changeKeyRequestSchema),
  success: { status: 200, schema: keySchema, description: 'The key as it is now' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal, params, body: { name, expiresAt }, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'change-key' } as const;
    const input = {
      keyId: params.keyId,
      ...(name === undefined ? {} : { name }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const key = await submit({ ...command, input });
    return { body: keyAnswer(key.keyId, key, await lastUseIfReadable(services.store, key.keyId)) };
  },
});

export const rotateKeyRoute = dashboardOwner.post('/keys/:keyId/rotate', {
  name: 'rotateKey',
  summary: 'Replace an API key by a new one',
  description:
    'Creates a key with the product, mode and name of this one, which ends after `overlapMs`. Identifiers keep their windows; the quotas of the new key start at zero. Only the first answer has the secret.',
  body: json(rotateKeyRequestSchema),
  success: {
    status: 201,
    schema: createdKeySchema,
    description: 'The new key; a repeat has null in place of the secret',
  },
  errors: ['not_found', 'state_conflict', 'idempotency_conflict', 'limit_reached'],
  async handle({ principal: { organizationId }, params, body, services, submit }) {
    const { idempotencyKey, overlapMs } = body;
    // The mode of a key never changes, and the new key names it.
    const { mode } = await readKey(services, organizationId, params.keyId);
    const { said, shownOnce } = newKey(mode, services.entropy);
    const command = { topic: 'organizations', key: organizationId, type: 'rotate-key' } as const;
    const input = { replacedId: params.keyId, overlapMs, ...said };
    const made = await submit({ ...command, idempotencyKey, input });
    return { body: { ...keyAnswer(made.keyId, made, null), key: shownOnce(made) } };
  },
});

export const revokeKeyRoute = dashboardOwner.delete('/keys/:keyId', {
  name: 'revokeKey',
  summary: 'Revoke an API key',
  description: 'Revokes a key for good. A repeat gets the same answer.',
  success: {
    status: 200,
    schema: keySchema,
    example: { revokedAt: EXAMPLES.later },
    description: 'The key, with the time of its revocation',
  },
  errors: ['not_found'],
  async handle({ principal, params, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'revoke-key' } as const;
    const key = await submit({ ...command, input: { keyId: params.keyId } });
    return { body: keyAnswer(key.keyId, key, await lastUseIfReadable(services.store, key.keyId)) };
  },
});

export const listKeysRoute = dashboardMember.get('/keys', {
  name: 'listKeys',
  summary: "List the organization's API keys",
  description: 'Returns the keys, newest first, including revoked ones.',
  query: keyListQuerySchema,
  success: { status: 200, schema: keyListSchema, description: 'One page of keys, without their secrets' },
  async handle({ principal, query, services: { store } }) {
    const aggregate = { table: 'organizations', id: principal.organizationId } as const;
    const { cursor, limit } = query;
    const entries = await store.list(aggregate, 'api-key-order', {
      limit: limit + 1,
      reverse: true,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const page = entries.slice(0, limit);
    const ids = page.map(keyIdOf);
    const rows = ids.map((id) => ({ kind: 'api-key', id }));
    const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
    const keys = await readEach(ids, String, async (keyId) => {
      const key = row('api-key', keyId, apiKeyDocumentSchema);
      // A key that could not be read was removed when it was revoked.
      return key === null ? [] : [keyAnswer(keyId, key, await readLastUse(store, keyId))];
    });
    const nextCursor = entries.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { body: { keys: keys.found.flat(), nextCursor }, unreadable: keys.unreadable };
  },
});

/** Makes a key of a mode: what its command says about it, and what its first answer shows. */
function newKey(mode: KeyMode, entropy: GatewayServices['entropy']) {
  const key = limiterKeyFrom(mode, entropy.bytes(LIMITER_KEY_BYTES));
  const digest = limiterKeyDigest(key);
  const keyId = idFrom('key', entropy.bytes(ID_BYTES));
  return {
    said: { keyId, digest, last4: lastFour(key) },
    /** The key, or null for the result of a repeat, whose key is not the one made just now. */
    shownOnce: (made: { readonly digest: string }) => (digestsEqual(made.digest, digest) ? key : null),
  };
}
