import { subscriptionSchema } from '../../schemas/billing/http.ts';
import { defineRoute } from '../http/route.ts';
import { EVERY_MEMBER } from '../people/roles.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** GET `/v1/subscription`. */
export const readSubscriptionRoute = defineRoute({
  name: 'readSubscription',
  summary: "Read the organization's subscription and its use this month",
  method: 'GET',
  path: '/v1/subscription',
  host: 'dashboard',
  principal: 'console',
  roles: EVERY_MEMBER,
  rate: 'management',
  body: { kind: 'none' },
  success: { status: 200, schema: subscriptionSchema, description: 'The subscription as it is now' },
  errors: [],
  noStore: true,
  async handle({ principal, services }) {
    return { body: await subscriptionAnswer(services, principal.organizationId) };
  },
});
