import { tagged } from '../http/routing/route.ts';
import { receiveBillingEventRoute } from './operations/receive-event.ts';
import { cancelSubscriptionRoute, readSubscriptionRoute, subscribeRoute } from './operations/subscription.ts';

/** The subscription of an organization, and what its billing provider says about it. */
export const billingRoutes = tagged(
  {
    name: 'Billing',
    description: 'The subscription of an organization. Live API keys work while it is active.',
  },
  [readSubscriptionRoute, subscribeRoute, cancelSubscriptionRoute, receiveBillingEventRoute],
);
