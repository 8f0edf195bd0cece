import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { member } from '../audiences.ts';
import { requireMembership } from './find-session.ts';
import { endedSessionCookie } from './session-cookie.ts';

/** DELETE `/v1/console/memberships/{organizationId}`: leaves any organization of one's own. */
export const leaveOrganizationRoute = member.delete('/memberships/:organizationId', {
  name: 'leaveOrganization',
  summary: 'Leave an organization',
  params: z.strictObject({ organizationId: idSchema('organization') }),
  success: { status: 204, description: 'The membership is gone, and the sessions for the organization' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal, params, services, submit }) {
    const { id: userId } = principal;
    const { organizationId } = params;
    await requireMembership(services, { organizationId, userId }, 'path.organizationId');
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
