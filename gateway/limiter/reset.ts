import { resetAnswerSchema, windowNameSchema } from '../../schemas/limiter/http.ts';
import { json } from '../http/routing/audience.ts';
import { defineRoute } from '../http/routing/route.ts';
import { endWindow } from './end-window.ts';

export const resetRoute = defineRoute({
  name: 'resetWindow',
  summary: 'End a window, so that its identifier is let in again',
  description:
    'Ends the window of an identifier, for example to let in a user who is locked out. The next request starts a new one. The key counts how many windows were ended with it; neither its namespace nor its identifier is stored.',
  method: 'POST',
  path: '/v1/checks/reset',
  host: 'limiter',
  principal: 'limiter',
  rate: 'management',
  body: json(windowNameSchema),
  success: { status: 200, schema: resetAnswerSchema, description: 'Whether a window was running' },
  errors: ['payment_required'],
  async handle({ principal: { key }, body, services, submit }) {
    return { body: { data: { ended: await endWindow(key, body, { services, submit }) } } };
  },
});
