import { digestsEqual } from '../../schemas/base/digest.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { lastFour } from '../../schemas/base/secrets.ts';
import { createdKeySchema, createKeyRequestSchema } from '../../schemas/keys/http.ts';
import { LIMITER_KEY_BYTES, limiterKeyDigest, limiterKeyFrom } from '../../schemas/limiter/keys.ts';
import { dashboardOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { keyAnswer } from './answers.ts';

/** POST `/v1/keys`: the key itself is in the first answer and nowhere else. */
export const createKeyRoute = dashboardOwner.post('/keys', {
  name: 'createKey',
  summary: 'Create an API key',
  body: json(createKeyRequestSchema),
  success: {
    status: 201,
    schema: createdKeySchema,
    description: 'The key; a repeat has null in place of the secret',
  },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ principal, body, services: { entropy }, submit }) {
    const { idempotencyKey, product, mode, name } = body;
    const key = limiterKeyFrom(mode, entropy.bytes(LIMITER_KEY_BYTES));
    const digest = limiterKeyDigest(key);
    const keyId = idFrom('key', entropy.bytes(ID_BYTES));
    const input = { keyId, product, mode, name, digest, last4: lastFour(key) };
    const command = { topic: 'organizations', key: principal.organizationId, type: 'create-key' } as const;
    const made = await submit({ ...command, idempotencyKey, input });
    // A repeat gets the stored result, whose secret is not the one made just now.
    const isFirst = digestsEqual(made.digest, digest);
    return { body: { ...keyAnswer(made.keyId, made, null), key: isFirst ? key : null } };
  },
});
