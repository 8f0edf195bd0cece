import { subscriptionSchema } from '../../schemas/billing/http.ts';
import { defineRoute } from '../http/route.ts';
import { OWNER_ONLY } from '../people/roles.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** DELETE `/v1/subscription`: live keys are answered 402 from the answer on. */
export const cancelSubscriptionRoute = defineRoute({
  name: 'cancelSubscription',
  summary: "Cancel the organization's subscription",
  method: 'DELETE',
  path: '/v1/subscription',
  host: 'dashboard',
  principal: 'console',
  roles: OWNER_ONLY,
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription, canceled' },
  errors: ['forbidden', 'state_conflict'],
  noStore: true,
  async handle({ principal, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'cancel-subscription', input: {} });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});
