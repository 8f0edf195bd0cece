import { z } from 'zod';
import { EXAMPLES } from '../base/examples.ts';
import { epochMsSchema, isoTimeSchema, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { topicSummarySchema } from './summary.ts';

/** Interval at which a gateway adds to the history what all processes have reported. */
export const SAMPLE_INTERVAL_MS = 10 * SECOND_MS;

/** The ranges that the history covers. Each has its own points, so that none of them grows. */
export const HISTORY_RANGES = {
  '15m': { stepMs: SAMPLE_INTERVAL_MS, points: 90 },
  '1h': { stepMs: MINUTE_MS, points: 60 },
  '6h': { stepMs: 5 * MINUTE_MS, points: 72 },
  '24h': { stepMs: 20 * MINUTE_MS, points: 72 },
} as const;

export type HistoryRange = keyof typeof HISTORY_RANGES;

const historyRangeSchema = z.enum(['15m', '1h', '6h', '24h']);

const rateSchema = z.number().nonnegative();

/** Requests in the time of a point: mean rates, and the longest of the times. */
const requestPointSchema = z.object({
  perSecond: rateSchema,
  errorsPerSecond: rateSchema,
  /** Of answers within CHECK_FAST_MS. */
  fastPerSecond: rateSchema,
  medianMs: rateSchema.nullable(),
  p99Ms: rateSchema.nullable(),
});

export type RequestPoint = z.infer<typeof requestPointSchema>;

/** A consumer in the time of a point: `records` at its end, and the highest of the others. */
const topicPointSchema = z.object({ records: rateSchema, lag: rateSchema, ageMs: rateSchema });

export type TopicPoint = z.infer<typeof topicPointSchema>;

/** The numbers of all processes within one step of a range. */
const historyPointSchema = z.object({
  /** The begin of the step. */
  at: epochMsSchema,
  /** The readings that the point sums up. */
  samples: z.int().positive(),
  checks: requestPointSchema,
  others: requestPointSchema,
  /** By topic and group, with a space between them. */
  topics: z.record(z.string(), topicPointSchema),
});

export type HistoryPoint = z.infer<typeof historyPointSchema>;

const pointsSchema = (range: HistoryRange) => z.array(historyPointSchema).max(HISTORY_RANGES[range].points);

/** The points of all ranges as a gateway keeps them for the next process, the oldest first. */
export const keptPointsSchema = z.object({
  '15m': pointsSchema('15m'),
  '1h': pointsSchema('1h'),
  '6h': pointsSchema('6h'),
  '24h': pointsSchema('24h'),
});

export type KeptPoints = z.infer<typeof keptPointsSchema>;

/** One value for each time of a history; null where there was no reading. */
const lineSchema = z.array(rateSchema.nullable()).meta({ example: [41.2, null] });

const requestLinesSchema = z
  .strictObject({
    perSecond: lineSchema.describe('The mean rate of requests.'),
    errorsPerSecond: lineSchema.describe('The mean rate of answers with a status of 500 or above.'),
    medianMs: lineSchema.describe('The highest median answer time of a minute.'),
    p99Ms: lineSchema.describe('The highest 99th percentile of the answer times of a minute.'),
  })
  .meta({
    id: 'RequestLines',
    description: 'Requests over time: one value for each step, null without a reading.',
  });

const { topic, group } = topicSummarySchema.shape;

const topicLinesSchema = z
  .strictObject({
    topic,
    group,
    lag: lineSchema.describe('The highest number of records that the group has not handled.'),
    ageMs: lineSchema.describe('The highest age of the oldest record that was delivered and is not handled.'),
  })
  .meta({ id: 'TopicLines', description: 'A topic over time, as one group consumes it.' });

export const historyQuerySchema = z.strictObject({
  range: historyRangeSchema.default('15m').describe('The time that the history covers.'),
});

export const historySchema = z
  .strictObject({
    range: historyRangeSchema,
    stepSeconds: z.int().positive().meta({ description: 'The time between two values.', example: 10 }),
    times: z.array(isoTimeSchema).meta({
      description: 'The begins of the steps, the oldest first.',
      example: [EXAMPLES.at, EXAMPLES.at],
    }),
    checks: requestLinesSchema.describe('Checks of the rate limiter.'),
    others: requestLinesSchema.describe('All others but probes and pages.'),
    topics: z
      .array(topicLinesSchema)
      .describe('The topics by group, without those that stay behind on purpose.'),
  })
  .meta({ id: 'OperationsHistory', description: 'The numbers of all processes over time.' });

export type HistoryAnswer = z.infer<typeof historySchema>;
