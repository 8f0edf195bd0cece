import { subscriptionSchema } from '../../schemas/billing/http.ts';
import { dashboardMember } from '../audiences.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** GET `/v1/subscription`. */
export const readSubscriptionRoute = dashboardMember.get('/subscription', {
  name: 'readSubscription',
  summary: "Read the organization's subscription and its use this month",
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription as it is now' },
  async handle({ principal, services }) {
    return { body: await subscriptionAnswer(services, principal.organizationId) };
  },
});
