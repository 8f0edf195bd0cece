import { keyParamsSchema, keySchema } from '../../schemas/keys/http.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';
import { keyAnswer } from './answers.ts';
import { readLastUse } from './key-usage.ts';

/** DELETE `/v1/keys/{keyId}`: for good, and at once on every gateway. A repeat answers the same. */
export const revokeKeyRoute = defineRoute({
  name: 'revokeKey',
  summary: 'Revoke an API key',
  method: 'DELETE',
  path: '/v1/keys/:keyId',
  host: 'dashboard',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  rate: 'management',
  params: keyParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: keySchema, description: 'The key, with the time of its revocation' },
  errors: ['forbidden', 'not_found'],
  noStore: true,
  async handle({ principal, params, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'revoke-key' } as const;
    const key = await submit({ ...command, input: { keyId: params.keyId } });
    return { body: keyAnswer(key.keyId, key, await readLastUse(services.store, key.keyId)) };
  },
});
