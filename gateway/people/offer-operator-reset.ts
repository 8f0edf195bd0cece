import { isoTime } from '../../schemas/base/time.ts';
import { oneTimeLinkSchema, operatorResetRequestSchema } from '../../schemas/people/http.ts';
import { creationSecret } from '../http/derive.ts';
import { defineRoute } from '../http/route.ts';
import { personKeyOf } from './person-key.ts';
import { OWNER_ONLY } from './roles.ts';

/** POST `/v1/ops/people/reset-link`: a one-time link for any person, wherever that person is a member. */
export const offerOperatorResetRoute = defineRoute({
  name: 'offerOperatorReset',
  summary: 'Make a one-time link with which any person sets a new password',
  method: 'POST',
  path: '/v1/ops/people/reset-link',
  host: 'console',
  principal: 'console',
  roles: OWNER_ONLY,
  operator: true,
  rate: 'management',
  body: { kind: 'json', schema: operatorResetRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: oneTimeLinkSchema,
    description: 'The link, shown once; an older one has ended',
  },
  errors: ['forbidden', 'not_found', 'gone'],
  noStore: true,
  async handle({ principal, body, idempotencyKey, services, submit }) {
    const { organizationId } = principal;
    const personKey = personKeyOf(services.secrets, body.email);
    const code = creationSecret(services, 'reset', idempotencyKey, ['offerOperatorReset', organizationId]);
    const { digest, expiresAt } = await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'offer-operator-reset',
      digestInput: { personKey },
      input: { personKey, codeDigest: code.digest },
    });
    const url = `${services.hosts.console}/reset#${code.again(digest)}`;
    return { body: { url, expiresAt: isoTime(expiresAt) } };
  },
});
