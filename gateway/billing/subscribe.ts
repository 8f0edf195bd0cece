import { subscribeRequestSchema, subscriptionSchema } from '../../schemas/billing/http.ts';
import { dashboardOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** POST `/v1/subscription`: live keys work from the answer on. */
export const subscribeRoute = dashboardOwner.post('/subscription', {
  name: 'subscribe',
  summary: 'Subscribe the organization to a plan',
  body: json(subscribeRequestSchema),
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription, active' },
  async handle({ principal, body, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'subscribe', input: body });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});
