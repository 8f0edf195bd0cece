import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { invitationBlob } from '../../../schemas/organizations/blobs.ts';
import { invitationSchema, inviteRequestSchema } from '../../../schemas/people/http.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import { owner } from '../../audiences.ts';
import { json } from '../../http/routing/audience.ts';
import { INVITATION_PAGE } from '../invitation-page.ts';

/** POST `/v1/console/invitations`: a one-time link for one person. */
export const createInvitationRoute = owner.post('/invitations', {
  name: 'createInvitation',
  summary: 'Invite a person to the organization',
  description: 'Creates a one-time link with which one person joins the organization.',
  body: json(inviteRequestSchema),
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: invitationSchema,
    description: 'The invitation with its link, shown once; a repeat has null in place of the link',
  },
  errors: ['limit_reached'],
  async handle({ principal: { organizationId }, body: { role, forWhom }, services, submit }) {
    const { blobs, clock, entropy, hosts, limits } = services;
    const code = secretFrom('invite', entropy.bytes(SECRET_BYTES));
    const invitationId = idFrom('invitation', entropy.bytes(ID_BYTES));
    const address = invitationBlob(organizationId, invitationId);
    // Before the command: the invitation removes the words when it ends, and later none could be added.
    if (forWhom !== undefined) {
      const expiresAt = clock.now() + limits.console.invitationMs;
      await writeBlob(blobs, address, [Buffer.from(forWhom)], { expiresAt });
    }
    const made = await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'invite',
      // The digest goes to a topic, where a name could be guessed from it.
      digestInput: { role },
      input: { invitationId, role, codeDigest: secretDigest(code) },
    });
    // A repeat gets the stored result, whose code is not the one made just now.
    const isFirst = made.invitationId === invitationId;
    if (!isFirst) await blobs.remove(address);
    const url = isFirst ? `${hosts.console}${INVITATION_PAGE}#${code}` : null;
    return { body: { invitationId: made.invitationId, url, expiresAt: isoTime(made.expiresAt) } };
  },
});
