import { digestsEqual } from '../../../schemas/base/digest.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import {
  invitationDocumentSchema,
  memberDocumentSchema,
  organizationDocumentSchema,
} from '../../../schemas/organizations/documents.ts';
import { inspectedInvitationSchema, inspectInvitationRequestSchema } from '../../../schemas/people/http.ts';
import { visitor } from '../../audiences.ts';
import { readAggregate } from '../../http/records/read-aggregate.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { findInvitation, noInvitation } from '../find-invitation.ts';
import { shownIdentity } from '../identity-blob.ts';
import { readIdentified } from '../verified-identity.ts';

/** POST `/v1/console/invitations/inspect`: the person who opens the link sees who invites, where and as what. */
export const inspectInvitationRoute = visitor.post('/invitations/inspect', {
  name: 'inspectInvitation',
  summary: 'Inspect an invitation',
  description: 'Returns the organization and the role of an open invitation, and who made it. It stays open.',
  body: json(inspectInvitationRequestSchema),
  success: { status: 200, schema: inspectedInvitationSchema, description: 'The invitation' },
  errors: ['not_found', 'rate_limited'],
  async handle({ body, services }) {
    const { store, clock } = services;
    const codeDigest = secretDigest(body.code);
    const { organizationId, invitationId } = await findInvitation(services, codeDigest);
    const aggregate = { table: 'organizations', id: organizationId } as const;
    const rowKey = { kind: 'invitation', id: invitationId };
    const { root, row } = await readAggregate(store, aggregate, organizationDocumentSchema, [rowKey]);
    const invitation = row('invitation', invitationId, invitationDocumentSchema);
    if (
      root?.state !== 'active' ||
      invitation === null ||
      invitation.acceptedBy !== null ||
      clock.now() >= invitation.expiresAt ||
      !digestsEqual(invitation.digest, codeDigest)
    ) {
      throw noInvitation();
    }
    const { role, createdBy, expiresAt } = invitation;
    const invitedBy = createdBy === undefined ? null : await nameOf(services, organizationId, createdBy);
    return { body: { organization: root.name, role, invitedBy, expiresAt: isoTime(expiresAt) } };
  },
});

/** Returns the name by which people know a member; null if the person has left. */
async function nameOf(
  services: GatewayServices,
  organizationId: string,
  userId: string,
): Promise<string | null> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rowKey = { kind: 'member', id: userId };
  const { row } = await readAggregate(services.store, aggregate, organizationDocumentSchema, [rowKey]);
  const member = row('member', userId, memberDocumentSchema);
  const found = member === null ? null : await readIdentified(services, member.personKey);
  if (found === null) return null;
  const { email, subject } = shownIdentity(found.identity);
  return email || subject;
}
