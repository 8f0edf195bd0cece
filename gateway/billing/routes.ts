import type { Route } from '../http/route.ts';
import { cancelSubscriptionRoute } from './cancel-subscription.ts';
import { readSubscriptionRoute } from './read-subscription.ts';
import { receiveBillingEventRoute } from './receive-event.ts';
import { subscribeRoute } from './subscribe.ts';

/** The subscription of an organization, and what its billing provider says about it. */
export const billingRoutes: readonly Route[] = [
  readSubscriptionRoute,
  subscribeRoute,
  cancelSubscriptionRoute,
  receiveBillingEventRoute,
];
