import { keyParamsSchema, keySchema } from '../../schemas/keys/http.ts';
import { dashboardOwner } from '../audiences.ts';
import { keyAnswer } from './answers.ts';
import { readLastUse } from './key-usage.ts';

/** DELETE `/v1/keys/{keyId}`: for good, and at once on every gateway. A repeat answers the same. */
export const revokeKeyRoute = dashboardOwner.delete('/keys/:keyId', {
  name: 'revokeKey',
  summary: 'Revoke an API key',
  params: keyParamsSchema,
  success: { status: 200, schema: keySchema, description: 'The key, with the time of its revocation' },
  errors: ['not_found'],
  async handle({ principal, params, services, submit }) {
    const command = { topic: 'organizations', key: principal.organizationId, type: 'revoke-key' } as const;
    const key = await submit({ ...command, input: { keyId: params.keyId } });
    return { body: keyAnswer(key.keyId, key, await readLastUse(services.store, key.keyId)) };
  },
});
