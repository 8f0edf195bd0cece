import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { invitationSchema, roleRequestSchema } from '../../schemas/people/http.ts';
import { owner } from '../audiences.ts';
import { json } from '../http/audience.ts';

/** POST `/v1/console/invitations`: a one-time link for one person. */
export const createInvitationRoute = owner.post('/invitations', {
  name: 'createInvitation',
  summary: 'Invite a person to the organization',
  body: json(roleRequestSchema),
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: invitationSchema,
    description: 'The invitation with its link, shown once; a repeat has null in place of the link',
  },
  errors: ['limit_reached'],
  async handle({ principal, body, services, submit }) {
    const { entropy, hosts } = services;
    const code = secretFrom('invite', entropy.bytes(SECRET_BYTES));
    const invitationId = idFrom('invitation', entropy.bytes(ID_BYTES));
    const made = await submit({
      topic: 'organizations',
      key: principal.organizationId,
      type: 'invite',
      digestInput: body,
      input: { invitationId, role: body.role, codeDigest: secretDigest(code) },
    });
    // A repeat gets the stored result, whose code is not the one made just now.
    const url = made.invitationId === invitationId ? `${hosts.console}/invitation#${code}` : null;
    return { body: { invitationId: made.invitationId, url, expiresAt: isoTime(made.expiresAt) } };
  },
});
