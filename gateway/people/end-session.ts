import { z } from 'zod';
import { sha256Schema } from '../../schemas/base/digest.ts';
import { member } from '../audiences.ts';

/** DELETE `/v1/console/sessions/{sessionId}`: signs one browser of this person out. Repeating it is harmless. */
export const endSessionRoute = member.delete('/sessions/:sessionId', {
  name: 'endSession',
  summary: 'End one of the own sessions',
  params: z.strictObject({ sessionId: sha256Schema }),
  success: { status: 204, description: 'The session has ended' },
  async handle({ principal, params, submit }) {
    const input = { sessionDigest: params.sessionId };
    await submit({ topic: 'people', key: principal.personKey, type: 'session-end', input });
    return {};
  },
});
