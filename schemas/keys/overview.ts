import { z } from 'zod';
import { isoTimeSchema } from '../base/time.ts';
import { callCountsSchema } from '../usage/counts.ts';
import { keySchema, keyUsageSchema } from './http.ts';

/** The hours of an overview, the current one included. */
export const OVERVIEW_HOURS = 36;

/** An active key with its use, as far as it has been published. */
export const keyOverviewSchema = keySchema.extend({
  /** Calls of each hour, in order; the last one is the current hour. */
  hours: z.array(callCountsSchema).length(OVERVIEW_HOURS),
  /** Calls of this UTC month that reached a counter. */
  month: keyUsageSchema.shape.month,
});

/** The answer of GET `/v1/key-overviews`. */
export const keyOverviewListSchema = z.strictObject({
  /** The start of the first hour of `hours`. */
  from: isoTimeSchema,
  keys: z.array(keyOverviewSchema),
  /** Calls of live keys on each day of this UTC month up to today, those of revoked keys too. */
  days: z.array(callCountsSchema.extend({ at: isoTimeSchema })),
  /** False if live keys beyond those that one answer adds up had calls this month, which `days` misses. */
  daysComplete: z.boolean(),
  /** The limits in force. */
  limits: z.strictObject({ keysPerMode: z.int().positive(), testPerMonth: z.int().positive() }),
});
