import { z } from 'zod';
import { serviceError } from '../../schemas/base/errors.ts';
import { idSchema } from '../../schemas/base/ids.ts';
import { defineRoute } from '../http/route.ts';
import { findMembership } from './find-session.ts';
import { EVERY_MEMBER } from './roles.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** DELETE `/v1/console/memberships/{organizationId}`: leaves any organization of one's own. */
export const leaveOrganizationRoute = defineRoute({
  name: 'leaveOrganization',
  summary: 'Leave an organization',
  method: 'DELETE',
  path: '/v1/console/memberships/:organizationId',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  params: z.strictObject({ organizationId: idSchema('organization') }),
  body: { kind: 'none' },
  success: { status: 204, description: 'The membership is gone, and the sessions for the organization' },
  errors: ['not_found', 'state_conflict'],
  noStore: true,
  async handle({ principal, params, services, submit }) {
    const { id: userId } = principal;
    const { organizationId } = params;
    if ((await findMembership(services, organizationId, userId)) === null) {
      throw serviceError('not_found', {
        at: 'path.organizationId',
        seen: 'the id of no organization of this person',
        expected: 'the id of an organization that the person belongs to',
      });
    }
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'remove-member',
      actor: { kind: 'user', id: userId, organizationId },
      input: { userId },
    });
    const isCurrent = organizationId === principal.organizationId;
    return isCurrent ? { headers: { 'Set-Cookie': endedSessionCookie(services.hosts) } } : {};
  },
});
