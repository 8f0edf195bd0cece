import { owner } from '../../audiences.ts';

/** DELETE `/v1/console/invitations/{invitationId}`. */
export const revokeInvitationRoute = owner.delete('/invitations/:invitationId', {
  name: 'revokeInvitation',
  summary: 'Revoke an open invitation',
  description: 'Ends an open invitation.',
  success: { status: 204, description: 'The link opens nothing any more' },
  errors: ['not_found'],
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'revoke-invitation', input: params });
    return {};
  },
});
