import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema, MINUTE_MS } from '../base/time.ts';
import { keyModeSchema } from '../limiter/keys.ts';
import { callCountsSchema } from './counts.ts';

/** The largest number of counts that one command carries. Further counts of a key go into another command. */
export const USAGE_COUNTS_MAX = 100;

/**
 * The uses of a key in one minute that one incarnation of the limiter's counter has counted. The numbers are absolute, so
 * a repeated or an older publication changes nothing.
 */
const usageCountSchema = callCountsSchema.extend({
  /** Unix milliseconds at which the minute began. */
  minute: epochMsSchema.refine((at) => at % MINUTE_MS === 0, 'expected the beginning of a minute'),
  incarnation: z.string().min(1).max(64),
});

export type PublishedCount = z.infer<typeof usageCountSchema>;

/** Commands of the topic `usage`; the key is the API key, or the organization. */
export const usageCommands = {
  /** The limiter's counts of an API key. Any gateway publishes them, any number of times. */
  publish: {
    input: z.strictObject({
      organizationId: idSchema('organization'),
      mode: keyModeSchema,
      counts: z.array(usageCountSchema).min(1).max(USAGE_COUNTS_MAX),
    }),
    result: noResult,
  },
  /** From a live key of the organization: its uses in a month so far. */
  'add-key': {
    input: z.strictObject({
      keyId: idSchema('key'),
      month: z.string().regex(/^\d{4}-\d{2}$/, 'expected YYYY-MM'),
      used: z.int().nonnegative(),
    }),
    result: noResult,
  },
} as const satisfies CommandTable;
