import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { MAIL_SECRET_NUMBER } from '../../../schemas/mail/documents.ts';
import {
  invitationAddressBlob,
  invitationBlob,
  invitationBlobs,
} from '../../../schemas/organizations/blobs.ts';
import { normaliseEmail } from '../../../schemas/people/email.ts';
import { invitationSchema, inviteRequestSchema } from '../../../schemas/people/http.ts';
import { invitationLink } from '../../../schemas/people/link-paths.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import { owner } from '../../audiences.ts';
import { deriveSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { refuseWithoutMail, throttleInvitationMail } from '../mail.ts';
import { personKeyOf } from '../person-key.ts';

/** POST `/v1/console/invitations`: a one-time link for one person, which the service mails if it is given an address. */
export const createInvitationRoute = owner.post('/invitations', {
  name: 'createInvitation',
  summary: 'Invite a person to the organization',
  description:
    'Creates a one-time link with which one person joins the organization. With an e-mail address, the service mails it.',
  body: json(inviteRequestSchema),
  idempotencyHeader: true,
  success: {
    status: 201,
    schema: invitationSchema,
    description: 'The invitation with its link, shown once; a repeat has null in place of the link',
  },
  errors: ['limit_reached', 'not_found', 'rate_limited'],
  async handle({
    principal: { id: userId, organizationId },
    body: { role, forWhom, email },
    services,
    submit,
  }) {
    const { blobs, clock, entropy, hosts, limits, secrets } = services;
    const invitationId = idFrom('invitation', entropy.bytes(ID_BYTES));
    const outbox = email === undefined ? null : personKeyOf(secrets, email);
    if (outbox !== null) {
      refuseWithoutMail(services);
      await throttleInvitationMail(services, { userId, organizationId, outbox });
    }
    // A worker derives the code of a mailed one again.
    const code =
      outbox === null
        ? secretFrom('invite', entropy.bytes(SECRET_BYTES))
        : deriveSecret(secrets, 'invite', invitationId, MAIL_SECRET_NUMBER);
    // Before the command: the invitation removes them when it ends, and later none could be added.
    const expiresAt = clock.now() + limits.console.invitationMs;
    const write = writer(blobs, expiresAt);
    if (forWhom !== undefined) await write(invitationBlob(organizationId, invitationId), forWhom);
    if (email !== undefined) {
      await write(invitationAddressBlob(organizationId, invitationId), normaliseEmail(email));
    }
    const made = await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'invite',
      // The digest goes to a topic, where a name could be guessed from it.
      digestInput: { role, ...(outbox !== null && { outbox }) },
      input: { invitationId, role, codeDigest: secretDigest(code), ...(outbox !== null && { outbox }) },
    });
    // A repeat gets the stored result, whose code is not the one made just now.
    const isFirst = made.invitationId === invitationId;
    if (!isFirst) await blobs.removeGroup(invitationBlobs(organizationId, invitationId));
    const url = isFirst ? invitationLink(hosts.console, code) : null;
    return { body: { invitationId: made.invitationId, url, expiresAt: isoTime(made.expiresAt) } };
  },
});

function writer(blobs: GatewayServices['blobs'], expiresAt: number) {
  return (address: ReturnType<typeof invitationBlob>, text: string) =>
    writeBlob(blobs, address, [Buffer.from(text)], { expiresAt });
}
