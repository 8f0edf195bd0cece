import { z } from 'zod';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { epochMsSchema, isoTime } from '../../schemas/base/time.ts';
import { invitationSchema, roleRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../route.ts';
import { OWNER_OR_ADMIN } from './roles.ts';

const invitedSchema = z.looseObject({ expiresAt: epochMsSchema });

/** POST `/v1/console/invitations`: a one-time link for one person. */
export const createInvitationRoute = defineRoute({
  name: 'createInvitation',
  summary: 'Invite a person to the organization',
  method: 'POST',
  path: '/v1/console/invitations',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  rate: 'management',
  body: { kind: 'json', schema: roleRequestSchema, limit: 'jsonBytes' },
  success: { status: 201, schema: invitationSchema, description: 'The invitation with its link, shown once' },
  errors: ['forbidden', 'limit_reached'],
  noStore: true,
  async handle({ principal, body, services, submit }) {
    const { entropy, hosts } = services;
    const code = secretFrom('invite', entropy.bytes(SECRET_BYTES));
    const invitationId = idFrom('invitation', entropy.bytes(ID_BYTES));
    const { expiresAt } = invitedSchema.parse(
      await submit({
        topic: 'organizations',
        key: principal.organizationId,
        type: 'invite',
        digestInput: body,
        input: { invitationId, role: body.role, codeDigest: secretDigest(code) },
      }),
    );
    const url = `${hosts.console}/invitation#${code}`;
    return { body: { invitationId, url, expiresAt: isoTime(expiresAt) } };
  },
});
