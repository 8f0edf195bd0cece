import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { memberSchema, roleRequestSchema } from '../../schemas/people/http.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_OR_ADMIN } from './roles.ts';

/** PATCH `/v1/console/members/{userId}`. */
export const setMemberRoleRoute = defineRoute({
  name: 'setMemberRole',
  summary: 'Give a member another role',
  method: 'PATCH',
  path: '/v1/console/members/:userId',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  rate: 'management',
  params: z.strictObject({ userId: idSchema('user') }),
  body: { kind: 'json', schema: roleRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: memberSchema, description: 'The member as it is now' },
  errors: ['forbidden', 'not_found', 'state_conflict'],
  noStore: true,
  async handle({ principal, params, body, submit }) {
    const input = { userId: params.userId, role: body.role };
    return {
      body: await submit({ topic: 'organizations', key: principal.organizationId, type: 'set-role', input }),
    };
  },
});
