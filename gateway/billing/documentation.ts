import {
  billingEventRequestSchema,
  subscribeRequestSchema,
  subscriptionSchema,
} from '../../schemas/billing/http.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';

const MONTH = { used: 1_250, included: 100_000, metered: 0 };
const SUBSCRIPTION = { status: 'active' as const, plan: 'free' as const, since: EXAMPLES.at, month: MONTH };

/** The texts about billing in the OpenAPI document. */
export const billingDocumentation: ProductDocumentation = {
  tag: {
    name: 'Billing',
    description: 'The subscription of an organization. Live API keys work while it is active.',
  },
  parameters: {},
  schemas: [
    nameSchema(
      'SubscribeRequest',
      subscribeRequestSchema,
      'The plan to subscribe to.',
      { plan: 'free' },
      {
        plan: 'The plan.',
      },
    ),
    nameSchema('Subscription', subscriptionSchema, 'The subscription of the organization.', SUBSCRIPTION, {
      status: 'The state; `none` without a subscription.',
      plan: 'The plan; null without a subscription.',
      since: 'The time since which it has this state, in UTC; null without a subscription.',
    }),
    nameSchema(
      'SubscriptionMonth',
      subscriptionSchema.shape.month,
      'The use of live keys in this UTC month.',
      MONTH,
      {
        used: 'Calls that reached a counter, allowed or denied.',
        included: 'Calls of a month that cost nothing.',
        metered: 'Calls beyond those.',
      },
    ),
    nameSchema(
      'BillingEvent',
      billingEventRequestSchema,
      'A change that the billing provider reports.',
      {
        eventId: 'evt_1042',
        organizationId: EXAMPLES.organizationId,
        status: 'active',
        at: '2026-01-31T10:00:00.000Z',
      },
      {
        eventId: 'The id of the event at the provider.',
        status: 'The state of the subscription.',
        at: 'The time of the change, in UTC. Events count in the order of their times.',
      },
    ),
  ],
  operations: {
    readSubscription: {
      description: 'Returns the subscription and the use of this month, as far as it has been published.',
    },
    subscribe: { description: 'Subscribes the organization. Live keys work as soon as it is answered.' },
    cancelSubscription: {
      description:
        'Cancels the subscription. Calls with live keys get 402 `payment_required` as soon as it is answered.',
      answer: { ...SUBSCRIPTION, status: 'canceled', since: EXAMPLES.later },
    },
    receiveBillingEvent: {
      description:
        'Receives an event of the billing provider. The header `Svc-Signature` signs the body. An event that was received before, or is older than the latest decision, changes nothing. Without a configured provider the answer is 404.',
    },
  },
};
