import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { oneTimeLinkSchema, signOutRequestSchema } from '../../schemas/people/http.ts';
import { creationSecret } from '../http/derive.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_ONLY } from './roles.ts';

/** POST `/v1/console/members/{userId}/reset-link`: the code rides in the fragment, which no server sees. */
export const offerResetRoute = defineRoute({
  name: 'offerReset',
  summary: 'Make a one-time link with which a member sets a new password',
  method: 'POST',
  path: '/v1/console/members/:userId/reset-link',
  host: 'console',
  principal: 'console',
  roles: OWNER_ONLY,
  rate: 'management',
  params: z.strictObject({ userId: idSchema('user') }),
  body: { kind: 'json', schema: signOutRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: oneTimeLinkSchema,
    description: 'The link, shown once; an older one has ended',
  },
  errors: ['forbidden', 'not_found', 'gone'],
  noStore: true,
  async handle({ principal, params, idempotencyKey, services, submit }) {
    const { organizationId } = principal;
    const code = creationSecret(services, 'reset', idempotencyKey, ['offerReset', organizationId]);
    const { digest, expiresAt } = await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'offer-reset',
      digestInput: params,
      input: { userId: params.userId, codeDigest: code.digest },
    });
    const url = `${services.hosts.console}/reset#${code.again(digest)}`;
    return { body: { url, expiresAt: isoTime(expiresAt) } };
  },
});
