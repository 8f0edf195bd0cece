import { subscriptionSchema } from '../../schemas/billing/http.ts';
import { dashboardOwner } from '../audiences.ts';
import { OWNER_ONLY } from '../people/roles.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** DELETE `/v1/subscription`: live keys are answered 402 from the answer on. */
export const cancelSubscriptionRoute = dashboardOwner.delete('/subscription', {
  name: 'cancelSubscription',
  summary: "Cancel the organization's subscription",
  roles: OWNER_ONLY,
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription, canceled' },
  errors: ['state_conflict'],
  async handle({ principal, services, submit }) {
    const { organizationId } = principal;
    await submit({ topic: 'organizations', key: organizationId, type: 'cancel-subscription', input: {} });
    return { body: await subscriptionAnswer(services, organizationId) };
  },
});
