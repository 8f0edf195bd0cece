import { z } from 'zod';
import { idSchema } from '../base/ids.ts';
import { isoTimeSchema } from '../base/time.ts';
import {
  billingEventIdSchema,
  subscriptionPlanSchema,
  subscriptionStatusSchema,
} from '../organizations/subscription.ts';

/** POST `/v1/subscription`. */
export const subscribeRequestSchema = z.strictObject({ plan: subscriptionPlanSchema });

/** The organization's subscription, and what its live keys have used of this UTC month. */
export const subscriptionSchema = z.strictObject({
  status: z.enum(['none', ...subscriptionStatusSchema.options]),
  plan: subscriptionPlanSchema.nullable(),
  since: isoTimeSchema.nullable(),
  month: z.strictObject({
    /** Calls of live keys that reached a counter, allowed or not. */
    used: z.int().nonnegative(),
    /** The free units of each month. */
    included: z.int().nonnegative(),
    /** Those beyond. */
    metered: z.int().nonnegative(),
  }),
});

/** POST `/v1/billing/events`. */
export const billingEventRequestSchema = z.strictObject({
  eventId: billingEventIdSchema,
  organizationId: idSchema('organization'),
  status: subscriptionStatusSchema,
  at: isoTimeSchema.refine((text) => Date.parse(text) >= 0, 'expected a time from 1970 on'),
});
