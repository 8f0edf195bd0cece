import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { memberSchema, roleRequestSchema } from '../../schemas/people/http.ts';
import { owner } from '../audiences.ts';
import { json } from '../http/audience.ts';

/** PATCH `/v1/console/members/{userId}`. */
export const setMemberRoleRoute = owner.patch('/members/:userId', {
  name: 'setMemberRole',
  summary: 'Give a member another role',
  params: z.strictObject({ userId: idSchema('user') }),
  body: json(roleRequestSchema),
  success: { status: 200, schema: memberSchema, description: 'The member as it is now' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal, params, body, submit }) {
    const input = { userId: params.userId, role: body.role };
    return {
      body: await submit({ topic: 'organizations', key: principal.organizationId, type: 'set-role', input }),
    };
  },
});
