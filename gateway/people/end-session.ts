import { z } from 'zod';
import { sha256Schema } from '../../schemas/base/digest.ts';
import { defineRoute } from '../http/route.ts';
import { EVERY_MEMBER } from './roles.ts';

/** DELETE `/v1/console/sessions/{sessionId}`: signs one browser of this person out. Repeating it is harmless. */
export const endSessionRoute = defineRoute({
  name: 'endSession',
  summary: 'End one of the own sessions',
  method: 'DELETE',
  path: '/v1/console/sessions/:sessionId',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  params: z.strictObject({ sessionId: sha256Schema }),
  body: { kind: 'none' },
  success: { status: 204, description: 'The session has ended' },
  errors: [],
  noStore: true,
  async handle({ principal, params, submit }) {
    const input = { sessionDigest: params.sessionId };
    await submit({ topic: 'people', key: principal.personKey, type: 'session-end', input });
    return {};
  },
});
