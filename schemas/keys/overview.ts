import { z } from 'zod';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { callCountsSchema, NO_CALLS } from '../usage/counts.ts';
import { keySchema, keyUsageSchema, usagePointSchema } from './http.ts';

/** The hours of an overview, the current one included. */
export const OVERVIEW_HOURS = 36;

/** An active key with its use. */
const keyOverviewSchema = keySchema
  .extend({
    hours: z
      .array(callCountsSchema)
      .length(OVERVIEW_HOURS)
      .meta({
        description: 'Calls of each hour, in order. The last entry is the current hour.',
        example: Array.from({ length: OVERVIEW_HOURS }, (_, hour) => ({ ...NO_CALLS, allowed: hour % 3 })),
      }),
    month: keyUsageSchema.shape.month,
  })
  .meta({
    id: 'KeyOverview',
    description: 'An active key with its use, as far as it has been published.',
  });

const limit = z.int().positive();

/** The answer of GET `/v1/key-overviews`. */
export const keyOverviewListSchema = z
  .strictObject({
    from: isoTimeSchema.describe('The start of the first hour of `hours`.'),
    keys: z.array(keyOverviewSchema).describe('The active keys, newest first.'),
    days: z
      .array(usagePointSchema)
      .describe(
        'Calls of all live keys on each day of this UTC month up to today, including those of revoked keys. Days sum up at most 100 keys.',
      ),
    daysComplete: z.boolean().meta({
      description:
        'False if more than 100 live keys had calls this month: `days` misses the calls of the others.',
      example: true,
    }),
    limits: z
      .strictObject({
        keysPerMode: limit.meta({ description: 'Active keys of each mode.', example: 20 }),
        testPerMinute: limit.meta({ description: 'Calls of one test key in a minute.', example: 50 }),
        testPerMonth: limit.meta({
          description: 'Calls of one test key in a calendar month (UTC).',
          example: 1_000,
        }),
        livePerMinute: limit.meta({ description: 'Calls of one live key in a minute.', example: 1_000 }),
      })
      .meta({ id: 'KeyLimits', description: 'The limits in force.' }),
    ...unreadableMember,
  })
  .meta({
    id: 'KeyOverviewList',
    description: 'The active keys with their use, and the month of the live keys.',
  });
