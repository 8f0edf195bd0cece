import { z } from 'zod';
import { idSchema } from '../base/ids.ts';
import { isoTimeSchema } from '../base/time.ts';
import {
  billingEventIdSchema,
  subscriptionPlanSchema,
  subscriptionStatusSchema,
} from '../organizations/subscription.ts';

const calls = z.int().nonnegative();

export const subscribeRequestSchema = z
  .strictObject({ plan: subscriptionPlanSchema })
  .meta({ id: 'SubscribeRequest', description: 'The plan to subscribe to.' });

/** The organization's subscription, and what its live keys have used of this UTC month. */
export const subscriptionSchema = z
  .strictObject({
    status: z.enum(['none', ...subscriptionStatusSchema.options]).meta({
      description: 'The state; `none` without a subscription.',
      example: 'active',
    }),
    plan: subscriptionPlanSchema.nullable().describe('The plan; null without a subscription.'),
    since: isoTimeSchema
      .nullable()
      .describe('The time since which it has this state; null without a subscription.'),
    month: z
      .strictObject({
        used: calls.meta({
          description: 'Calls that reached a counter, allowed or denied.',
          example: 1_250,
        }),
        included: calls.meta({
          description: 'Calls of a month that cost nothing.',
          example: 100_000,
        }),
        metered: calls.meta({ description: 'Calls beyond those.', example: 0 }),
      })
      .meta({ id: 'SubscriptionMonth', description: 'The use of live keys in this UTC month.' }),
  })
  .meta({ id: 'Subscription', description: 'The subscription of the organization.' });

export const billingEventRequestSchema = z
  .strictObject({
    eventId: billingEventIdSchema.meta({
      description: 'The id of the event at the provider.',
      example: 'evt_1042',
    }),
    organizationId: idSchema('organization'),
    status: subscriptionStatusSchema.describe('The state of the subscription.'),
    at: isoTimeSchema
      .refine((text) => Date.parse(text) >= 0, 'expected a time from 1970 on')
      .meta({
        description: 'The time of the change. Events count in the order of their times.',
        example: '2026-01-31T10:00:00.000Z',
      }),
  })
  .meta({ id: 'BillingEvent', description: 'A change that the billing provider reports.' });
