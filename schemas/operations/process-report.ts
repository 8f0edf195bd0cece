import { z } from 'zod';
import { epochMsSchema, HOUR_MS, SECOND_MS } from '../base/time.ts';
import { NO_TALLIES, talliesSchema } from './tallies.ts';

/** Interval at which a process publishes its report. */
export const REPORT_INTERVAL_MS = 5 * SECOND_MS;

/** A process whose latest report is older than this has gone. */
export const REPORT_FRESH_MS = 20 * SECOND_MS;

/** Lifetime of a report: for this long, operators see that a process has gone. */
export const REPORT_LIFETIME_MS = HOUR_MS;

/** Partitions of a consumer that a report names: the halted ones, then those that are furthest behind. */
export const PARTITIONS_NAMED_MAX = 32;

/** The engines that a process can depend on. */
export const engineNameSchema = z.enum(['embedded', 'kafka', 'cassandra', 'redis']);
export type EngineName = z.infer<typeof engineNameSchema>;

const countSchema = z.int().nonnegative();

const engineReportSchema = z.object({
  name: engineNameSchema,
  isUp: z.boolean(),
  /** The time of the change to this state. */
  since: epochMsSchema,
});

export type EngineReport = z.infer<typeof engineReportSchema>;

const partitionReportSchema = z.object({
  partition: countSchema,
  lag: countSchema,
  /** The append of the oldest record that was delivered and is not handled; null if there is none. */
  oldestAt: epochMsSchema.nullable(),
  halted: z.string().nullable(),
});

/** The partitions of one topic that a process consumes for one group. */
const consumerReportSchema = z.object({
  topic: z.string(),
  group: z.string(),
  partitions: countSchema,
  halted: countSchema,
  /** Records that were ever appended to these partitions. */
  records: countSchema,
  lag: countSchema,
  /** Like that of a partition. */
  oldestAt: epochMsSchema.nullable(),
  /** Partitions that are behind or halted, at most {@link PARTITIONS_NAMED_MAX}. */
  behind: z.array(partitionReportSchema).max(PARTITIONS_NAMED_MAX),
});

export type ConsumerReport = z.infer<typeof consumerReportSchema>;

/** Upper bounds of the classes of answer times, in milliseconds. One more class has the slower answers. */
export const ANSWER_BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1_000, 2_000, 5_000,
] as const;

const requestCountsSchema = z.object({
  /** Answers with a status of 500 or above. */
  errors: countSchema,
  /** All answers, by the class of their time. */
  answers: z.array(countSchema).length(ANSWER_BOUNDS_MS.length + 1),
});

export type RequestCounts = z.infer<typeof requestCountsSchema>;

/**
 * A process as it describes itself. Members that are unknown are dropped: a process of a later version may send them.
 */
export const processReportSchema = z.object({
  /** Drawn at the start of the process. */
  processId: z.string(),
  roles: z.array(z.string()),
  /** Of the service. */
  version: z.string(),
  /** Of Node.js. */
  nodeVersion: z.string(),
  startedAt: epochMsSchema,
  /** The time of the report, by the clock of the process. */
  at: epochMsSchema,
  /** True for the last report of a process that was told to stop. */
  isStopping: z.boolean(),
  /** The reason, beside engines and halted partitions, that keeps the process from a part of its work; null if there is none. */
  trouble: z.string().nullable(),
  /** True if its runner has a browser; null without a runner, absent from a process of an earlier version. */
  hasBrowser: z.boolean().nullable().optional(),
  /** The part of the time since the report before in which the event loop was busy, in percent. */
  busyPercent: z.number().min(0).max(100),
  memoryBytes: countSchema,
  /** True while the engine takes nothing new for want of room. */
  isShortOfRoom: z.boolean().default(false),
  engines: z.array(engineReportSchema),
  consumers: z.object({
    /** The time of the reading, or null before the first one. It stays while the log is down. */
    at: epochMsSchema.nullable(),
    list: z.array(consumerReportSchema),
  }),
  /** Null for a process that is no gateway. */
  requests: z
    .object({
      /** The latest time that the counts cover, in milliseconds. */
      windowMs: countSchema,
      /** Checks of the rate limiter. */
      checks: requestCountsSchema,
      /** All others, but probes and pages. */
      others: requestCountsSchema,
    })
    .nullable(),
  tallies: talliesSchema.default(NO_TALLIES),
});

export type ProcessReport = z.infer<typeof processReportSchema>;

export function addCounts(all: readonly RequestCounts[]): RequestCounts {
  const sum = (countOf: (counts: RequestCounts) => number) =>
    all.reduce((total, counts) => total + countOf(counts), 0);
  return {
    errors: sum(({ errors }) => errors),
    answers: Array.from({ length: ANSWER_BOUNDS_MS.length + 1 }, (_, at) =>
      sum(({ answers }) => answers[at] ?? 0),
    ),
  };
}
