import { z } from 'zod';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';

/** Bounds of a check. */
export const CHECK_BOUNDS = {
  namespaceCharacters: 128,
  identifierCharacters: 256,
  limit: 1_000_000_000,
  /** 31 days. */
  windowMs: 2_678_400_000,
} as const;

/** POST `/v1/check` (infra/docs/reference/rate-limits.md#request). Unknown members are passed over here, and only here. */
export const checkRequestSchema = z.object({
  namespace: textSchema({ min: 1, max: CHECK_BOUNDS.namespaceCharacters }),
  identifier: textSchema({ min: 1, max: CHECK_BOUNDS.identifierCharacters }),
  limit: z.int().min(1).max(CHECK_BOUNDS.limit),
  /** Milliseconds. */
  window: z.int().min(1).max(CHECK_BOUNDS.windowMs),
  /** Units to consume; 0 peeks without consuming. */
  cost: z.int().min(0).max(CHECK_BOUNDS.limit).default(1),
});

export type CheckRequest = z.infer<typeof checkRequestSchema>;

/** The answer (infra/docs/reference/rate-limits.md#answer). */
export const checkAnswerSchema = z.strictObject({
  data: z.strictObject({
    allowed: z.boolean(),
    remaining: z.int().min(0).max(CHECK_BOUNDS.limit),
    limit: z.int().min(1).max(CHECK_BOUNDS.limit),
    /** Unix milliseconds. */
    reset_at: z.int().nonnegative(),
    namespace: z.string().min(1),
    identifier: z.string().min(1),
    /** With a denied call: how long until the window ends, in milliseconds. */
    retry_after_ms: z.int().min(0).max(CHECK_BOUNDS.windowMs).optional(),
  }),
});

/** GET `/v1/health`. */
export const limiterHealthSchema = z.strictObject({
  data: z.strictObject({
    status: z.literal('healthy'),
    product: z.literal('limiter'),
    version: z.literal('v1'),
    timestamp: isoTimeSchema,
  }),
});
