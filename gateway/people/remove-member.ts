import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { defineRoute } from '../http/route.ts';
import { EVERY_MEMBER } from './roles.ts';

/** DELETE `/v1/console/members/{userId}`. Everybody may leave; the fold knows who may remove whom. */
export const removeMemberRoute = defineRoute({
  name: 'removeMember',
  summary: 'Remove a member, or leave',
  method: 'DELETE',
  path: '/v1/console/members/:userId',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  params: z.strictObject({ userId: idSchema('user') }),
  body: { kind: 'none' },
  success: { status: 204, description: 'The member is gone, and its sessions for the organization' },
  errors: ['forbidden', 'not_found', 'state_conflict'],
  noStore: true,
  async handle({ principal, params, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'remove-member', input: params });
    return {};
  },
});
