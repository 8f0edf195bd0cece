import { z } from 'zod';
import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema, MINUTE_MS } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { callCountsSchema } from './counts.ts';

/** Counts that one command carries: more of a key go into another one. */
export const USAGE_COUNTS_MAX = 100;

/**
 * How often a key was used in a minute, as far as this incarnation of the limiter's counter goes. Absolute: whoever
 * publishes it again, or an older state of it, changes nothing.
 */
const usageCountSchema = callCountsSchema.extend({
  /** Unix milliseconds at which the minute began. */
  minute: epochMsSchema.refine((at) => at % MINUTE_MS === 0, 'expected the beginning of a minute'),
  incarnation: z.string().min(1).max(64),
});

export type PublishedCount = z.infer<typeof usageCountSchema>;

/** Commands of the topic `usage`; the key is the API key, or the organization. */
export const usageCommands = undeclaredResults({
  /** What the limiter has counted of an API key. Any gateway publishes it, and any number of times. */
  publish: z.strictObject({
    organizationId: idSchema('organization'),
    mode: keyModeSchema,
    counts: z.array(usageCountSchema).min(1).max(USAGE_COUNTS_MAX),
  }),
  /** What a live key of the organization has used of a month by now. */
  'add-key': z.strictObject({
    keyId: idSchema('key'),
    month: z.string().regex(/^\d{4}-\d{2}$/, 'expected YYYY-MM'),
    used: z.int().nonnegative(),
  }),
});

export type UsageCommand = CommandOf<typeof usageCommands>;
