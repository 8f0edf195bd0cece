import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_OR_ADMIN } from './roles.ts';

/** DELETE `/v1/console/invitations/{invitationId}`. */
export const revokeInvitationRoute = defineRoute({
  name: 'revokeInvitation',
  summary: 'Take an open invitation back',
  method: 'DELETE',
  path: '/v1/console/invitations/:invitationId',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  rate: 'management',
  params: z.strictObject({ invitationId: idSchema('invitation') }),
  body: { kind: 'none' },
  success: { status: 204, description: 'The link opens nothing any more' },
  errors: ['forbidden', 'not_found'],
  noStore: true,
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'revoke-invitation', input: params });
    return {};
  },
});
