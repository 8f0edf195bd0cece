import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { member } from '../audiences.ts';

/** DELETE `/v1/console/members/{userId}`. Everybody may leave; the fold knows who may remove whom. */
export const removeMemberRoute = member.delete('/members/:userId', {
  name: 'removeMember',
  summary: 'Remove a member, or leave',
  params: z.strictObject({ userId: idSchema('user') }),
  success: { status: 204, description: 'The member is gone, and its sessions for the organization' },
  errors: ['forbidden', 'not_found', 'state_conflict'],
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'remove-member', input: params });
    return {};
  },
});
