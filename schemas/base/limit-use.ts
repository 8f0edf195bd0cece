import { z } from 'zod';
import { isoTimeOrNull, isoTimeSchema } from './time.ts';

/** How much of a limit is used up, as agents read it. */
export const limitUseSchema = z.strictObject({
  limit: z.int().nonnegative(),
  used: z.int().nonnegative(),
  remaining: z.int().nonnegative(),
  /** When `used` starts again at zero, or null for a lifetime limit. */
  resetsAt: isoTimeSchema.nullable(),
});

export type LimitUse = z.infer<typeof limitUseSchema>;

/** States a limit's use. `resetsAt`: Unix milliseconds. A plan that shrank leaves nothing, never less. */
export function limitUse(limit: number, used: number, resetsAt: number | null): LimitUse {
  return { limit, used, remaining: Math.max(0, limit - used), resetsAt: isoTimeOrNull(resetsAt) };
}
