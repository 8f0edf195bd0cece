import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { owner } from '../audiences.ts';

/** DELETE `/v1/console/invitations/{invitationId}`. */
export const revokeInvitationRoute = owner.delete('/invitations/:invitationId', {
  name: 'revokeInvitation',
  summary: 'Take an open invitation back',
  params: z.strictObject({ invitationId: idSchema('invitation') }),
  success: { status: 204, description: 'The link opens nothing any more' },
  errors: ['not_found'],
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'revoke-invitation', input: params });
    return {};
  },
});
