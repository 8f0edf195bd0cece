import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../schemas/base/time.ts';
import { oneTimeLinkSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../route.ts';
import { OWNER_ONLY } from './roles.ts';

const offeredSchema = z.looseObject({ expiresAt: epochMsSchema });

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
  body: { kind: 'json', schema: z.strictObject({}), limit: 'jsonBytes' },
  success: {
    status: 201,
    schema: oneTimeLinkSchema,
    description: 'The link, shown once; an older one has ended',
  },
  errors: ['forbidden', 'not_found'],
  noStore: true,
  async handle({ principal, params, services, submit }) {
    const code = secretFrom('reset', services.entropy.bytes(SECRET_BYTES));
    const { expiresAt } = offeredSchema.parse(
      await submit({
        topic: 'organizations',
        key: principal.organizationId,
        type: 'offer-reset',
        digestInput: params,
        input: { userId: params.userId, codeDigest: secretDigest(code) },
      }),
    );
    return { body: { url: `${services.hosts.console}/reset#${code}`, expiresAt: isoTime(expiresAt) } };
  },
});
