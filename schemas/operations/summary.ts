import { z } from 'zod';
import { EXAMPLES } from '../base/examples.ts';
import { isoTimeSchema } from '../base/time.ts';
import { CHECK_FAST_MS, OBJECTIVES } from './objectives.ts';
import { engineNameSchema, processReportSchema } from './process-report.ts';

const countSchema = z.int().nonnegative();

/** `gone`: no report for {@link REPORT_FRESH_MS}, and it was not told to stop. */
const processStateSchema = z.enum(['up', 'troubled', 'stopping', 'gone']);

/** Part of an engine as one process sees it. */
const seenEngineSchema = z.strictObject({ name: engineNameSchema, isUp: z.boolean(), since: isoTimeSchema });

const { roles, version, nodeVersion, trouble, busyPercent, memoryBytes } = processReportSchema.shape;

const processId = processReportSchema.shape.processId.meta({
  description: 'A random id, made at the start of the process.',
  example: '0f3a5c7e9b1d',
});

const processSummarySchema = z
  .strictObject({
    processId,
    roles: roles.meta({ example: ['processors'] }),
    version: version.meta({ description: 'The version of the service.', example: '0.2.0' }),
    nodeVersion: nodeVersion.meta({ description: 'The version of Node.js.', example: '24.11.0' }),
    state: processStateSchema.describe(
      '`up`; `troubled` if something keeps it from a part of its work; `stopping` after it was told to stop; `gone` if it sends no report any more.',
    ),
    trouble: trouble.meta({
      description: 'What keeps it from its work beside engines and halted partitions; null if nothing does.',
      example: null,
    }),
    startedAt: isoTimeSchema,
    at: isoTimeSchema.describe('The time of its latest report.'),
    busyPercent: busyPercent.meta({
      description: 'The part of the latest seconds in which its event loop was busy.',
      example: 12.5,
    }),
    memoryBytes: memoryBytes.meta({
      description: 'The memory of the process in bytes.',
      example: 210_000_000,
    }),
    isShortOfRoom: z.boolean().describe('True while its engine accepts nothing new for want of room.'),
    engines: z.array(seenEngineSchema).meta({
      description: 'The engines as this process sees them, each since its latest change.',
      example: [{ name: 'kafka', isUp: true, since: EXAMPLES.at }],
    }),
  })
  .meta({ id: 'ProcessSummary', description: 'A process of the service.' });

export type ProcessSummary = z.infer<typeof processSummarySchema>;

/** Part of an engine as all processes see it. */
const engineSummarySchema = z
  .strictObject({
    name: engineNameSchema.meta({ example: 'kafka' }),
    state: z
      .enum(['up', 'partly', 'down'])
      .describe('`up` if it answers all processes, `down` if it answers none, else `partly`.'),
    since: isoTimeSchema.describe('The time of the change to this state.'),
    up: countSchema.meta({ description: 'The processes that it answers.', example: 3 }),
    processes: countSchema.meta({ description: 'The processes that ask it.', example: 3 }),
  })
  .meta({
    id: 'EngineSummary',
    description: 'A server that processes depend on, or the engine within the process.',
  });

const lag = countSchema.meta({
  description: 'The records that the group has not handled.',
  example: 612,
});
const oldestAt = isoTimeSchema
  .nullable()
  .describe(
    'The time of the append of the oldest record that was delivered and is not handled; null if there is none.',
  );

export const topicSummarySchema = z
  .strictObject({
    topic: z.string().meta({ example: 'activate' }),
    group: z.string().meta({
      description: 'The group of consumers. Groups `sweep-…` stay behind on purpose.',
      example: 'fold-activate',
    }),
    partitions: countSchema.meta({
      description: 'The partitions that the group consumes.',
      example: 24,
    }),
    halted: countSchema.meta({
      description: 'The partitions that stand still at a record.',
      example: 0,
    }),
    records: countSchema.meta({
      description: 'The records that were ever appended to these partitions.',
      example: 48_211,
    }),
    lag,
    oldestAt,
    inPerSecond: z.number().nonnegative().nullable().meta({
      description:
        'The records that are appended in a second, over the latest five minutes; null while that is unknown.',
      example: 704.2,
    }),
    outPerSecond: z.number().nonnegative().nullable().meta({
      description:
        'The records that are handled in a second, over the same time; null while that is unknown.',
      example: 706.1,
    }),
    isBehindOnPurpose: z
      .boolean()
      .describe('True for a sweep, which waits until records have a certain age.'),
    readAt: isoTimeSchema.describe('The time of the oldest of these numbers.'),
    isCurrent: z.boolean().meta({
      description:
        'False if these numbers are old, because the log is down or no process consumes the topic.',
      example: true,
    }),
  })
  .meta({ id: 'TopicSummary', description: 'A topic as one group consumes it.' });

export type TopicSummary = z.infer<typeof topicSummarySchema>;

const duration = z.number().nonnegative().nullable();

const requestSummarySchema = z
  .strictObject({
    perSecond: z.number().nonnegative().meta({ description: 'The rate of requests.', example: 41.2 }),
    answers: countSchema.meta({ example: 2_472 }),
    errors: countSchema.meta({
      description: 'Answers with a status of 500 or above.',
      example: 0,
    }),
    fast: countSchema.meta({
      description: `Answers within ${CHECK_FAST_MS} ms, the bound of checks.`,
      example: 2_469,
    }),
    medianMs: duration.meta({
      description: 'The time that half of the answers took at most; null without any.',
      example: 1.8,
    }),
    p99Ms: duration.meta({
      description: 'The time that 99 of 100 answers took at most; null without any.',
      example: 7.1,
    }),
  })
  .meta({ id: 'RequestSummary', description: 'Requests of the latest minute.' });

export type RequestSummary = z.infer<typeof requestSummarySchema>;

/** Something that is wrong, with the entry of the runbook that says more. */
const findingSchema = z
  .strictObject({
    name: z.string().meta({
      description: 'The anchor of its entry in the runbook.',
      example: 'appends-failing',
    }),
    severity: z.enum(['bad', 'warn']).describe('`bad` while people are affected, else `warn`.'),
    title: z.string().meta({ description: 'What is wrong.', example: 'Kafka does not answer' }),
    affected: z.string().meta({
      description: 'Who is affected, and how.',
      example: 'Everyone who changes something: such requests are answered 503.',
    }),
    cure: z.string().meta({
      description: 'What to do.',
      example: 'Check the server and its log, and start it again.',
    }),
    since: isoTimeSchema.nullable().describe('The time since which it is so; null where that is not known.'),
  })
  .meta({ id: 'Finding', description: 'Something that is wrong.' });

export type Finding = z.infer<typeof findingSchema>;

/** The parts of the objectives that are met; null without a request. */
const objectivesSchema = z
  .strictObject({
    fastChecksOfHour: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description: `The part of the rate-limit checks of the latest hour that took at most ${CHECK_FAST_MS} ms, from 0 to 1; null without any.`,
        example: 0.9962,
      }),
    fastChecksGoal: z.number().min(0).max(1).meta({
      description: 'The part of the checks that has to be as fast.',
      example: OBJECTIVES.checksFast.share,
    }),
    errorBudgetOfDay: z.number().max(1).nullable().meta({
      description:
        'The part of the allowed errors of the latest 24 hours that is left, 1 for all of them; negative if more came; null without an answer.',
      example: 0.71,
    }),
  })
  .meta({ id: 'Objectives', description: 'How well the objectives are met.' });

const at = isoTimeSchema.describe('The time of the answer.');

export const operationsSummarySchema = z
  .strictObject({
    at,
    readAt: isoTimeSchema.describe('The time at which the reports of other processes were read.'),
    isCurrent: z.boolean().meta({
      description:
        'False while the engine that keeps the reports is down: then only the process that answers is up to date.',
      example: true,
    }),
    processes: z
      .array(processSummarySchema)
      .describe('Also processes that have stopped or gone within the latest hour.'),
    engines: z.array(engineSummarySchema),
    topics: z.array(topicSummarySchema).describe('The topics by group, in the order of their names.'),
    requests: z
      .strictObject({ checks: requestSummarySchema, others: requestSummarySchema })
      .describe('Checks of the rate limiter, and all others but probes and pages.'),
    objectives: objectivesSchema,
    findings: z.array(findingSchema).describe('What is wrong, the worst first.'),
  })
  .meta({ id: 'OperationsSummary', description: 'The numbers of all processes of the service.' });

export type OperationsSummary = z.infer<typeof operationsSummarySchema>;

const partitionSummarySchema = z
  .strictObject({
    partition: countSchema.meta({ example: 7 }),
    lag,
    oldestAt,
    halted: z.string().nullable().describe('Why it stands still; null if it does not.'),
    processId: processId.describe('The process that consumes it.'),
  })
  .meta({ id: 'PartitionSummary', description: 'A partition that is behind or halted.' });

const topicDetailSchema = topicSummarySchema
  .extend({
    behind: z
      .array(partitionSummarySchema)
      .describe('The partitions that are halted or behind; of each process the 32 that are furthest behind.'),
  })
  .meta({ id: 'TopicDetail', description: 'A topic with its partitions.' });

export type TopicDetail = z.infer<typeof topicDetailSchema>;

export const topicListSchema = z
  .strictObject({
    at,
    isCurrent: z.boolean().meta({
      description: 'False while the numbers of other processes cannot be read.',
      example: true,
    }),
    topics: z.array(topicDetailSchema),
  })
  .meta({ id: 'TopicList', description: 'The topics by group, in the order of their names.' });
