import { z } from 'zod';
import { epochMsSchema } from '../base/time.ts';
import type { KeyMode, KeyStatus } from '../limiter/keys.ts';
import type { ApiKeyDocument } from './api-keys.ts';

/** The states of a subscription. A subscriber makes it `active`; the billing provider can set every state. */
export const subscriptionStatusSchema = z.enum(['active', 'canceled', 'expired', 'declined']);

/** The plans that can be subscribed to. The free one takes no card. */
export const subscriptionPlanSchema = z.literal('free');

/** An event's id as its provider names it. */
export const billingEventIdSchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/, 'expected 1 to 128 printable ASCII characters');

/** Row kind `subscription`, id: {@link SUBSCRIPTION_ROW}; without it there is none. */
export const subscriptionDocumentSchema = z.strictObject({
  plan: subscriptionPlanSchema,
  status: subscriptionStatusSchema,
  /** Since when it has this status. */
  since: epochMsSchema,
  /**
   * The place of what was decided last in the order of decisions: its time, and where the billing provider decided, the
   * event's id. An event that comes later and belongs before it changes nothing.
   */
  decided: z.strictObject({
    at: epochMsSchema,
    eventId: billingEventIdSchema.nullable(),
    /** The time of an event as it was sent, if that was ahead of the clock: then `at` is its arrival. */
    aheadAt: epochMsSchema.optional(),
  }),
});

export type SubscriptionDocument = z.infer<typeof subscriptionDocumentSchema>;

/** There is one such row. */
export const SUBSCRIPTION_ROW = { kind: 'subscription', id: 'current' } as const;

/**
 * A key's status, apart from its end: revoked for good, or held up while a live key has no active subscription
 * (infra/docs/reference/usage.md#subscription).
 */
export function apiKeyStatus(
  key: Pick<ApiKeyDocument, 'mode' | 'revokedAt'>,
  subscription: Pick<SubscriptionDocument, 'status'> | null,
): KeyStatus {
  return key.revokedAt !== null ? 'revoked' : unrevokedStatus(key.mode, subscription);
}

/** The status of every key of a mode that is not revoked. */
export function unrevokedStatus(
  mode: KeyMode,
  subscription: Pick<SubscriptionDocument, 'status'> | null,
): Exclude<KeyStatus, 'revoked'> {
  return mode === 'test' || subscription?.status === 'active' ? 'active' : 'payment-required';
}
