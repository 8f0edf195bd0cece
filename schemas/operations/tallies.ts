import { z } from 'zod';
import { EXAMPLES } from '../base/examples.ts';
import { quotaSchema } from '../base/quota.ts';
import { DAY_MS, epochMsSchema, HOUR_MS, isoTimeSchema } from '../base/time.ts';

/** Hours that a report of a process has: the current one and those before, in case a report was lost. */
export const HOURS_REPORTED = 3;

/** Hours that a gateway keeps: a day, and the days for which a preview may have existed before. */
export const HOURS_KEPT = (4 * DAY_MS) / HOUR_MS;

/** Hours that an answer shows. */
export const HOURS_SHOWN = DAY_MS / HOUR_MS;

/** Origins of feedback in one hour of one process. Further ones count together as {@link OTHER_ORIGINS}. */
export const ORIGINS_MAX = 100;
export const OTHER_ORIGINS = 'others';

/** Workspaces that an hour names for each of its counts: the latest ones. */
export const WORKSPACES_NAMED = 20;

/** Workspaces that one origin names, which has seldom more than one. */
export const ORIGIN_WORKSPACES_NAMED = 3;

/** Quotas of workspaces that a process or a gateway keeps: the ones that were used last. */
export const QUOTAS_MAX = 200;

/** Erased workspaces that a process or a gateway remembers, so that no older report brings their names back. */
export const ERASED_MAX = 1_000;

/** The part of a quota from which operators see it. */
export const NEARLY_USED = 0.8;

/** The least limit of a quota that operators see: ordinary use takes the whole of a smaller one. */
export const OUTLIER_LIMIT_LEAST = 10;

const countSchema = z.int().nonnegative();

const hourCountsSchema = z.object({
  created: countSchema,
  /** Creations that were refused because of their address. */
  refused: countSchema,
  attached: countSchema,
  claimed: countSchema,
  /** Of the previews that were created in this hour, those that were claimed by now. */
  claimedLater: countSchema,
  runs: countSchema,
});

export type HourCounts = z.infer<typeof hourCountsSchema>;

export const NO_COUNTS: HourCounts = {
  created: 0,
  refused: 0,
  attached: 0,
  claimed: 0,
  claimedLater: 0,
  runs: 0,
};

/** Processes of the release before name none. */
const namedSchema = z.array(z.string()).default([]);

const namedWorkspacesSchema = z.object({
  created: namedSchema,
  attached: namedSchema,
  claimed: namedSchema,
  claimedLater: namedSchema,
});

export type NamedWorkspaces = z.infer<typeof namedWorkspacesSchema>;

export const NO_WORKSPACES: NamedWorkspaces = { created: [], attached: [], claimed: [], claimedLater: [] };

const originTallySchema = z.object({ accepted: countSchema, held: countSchema, workspaces: namedSchema });

export type OriginTally = z.infer<typeof originTallySchema>;

/** The counts of one process in one UTC hour. */
const hourTallySchema = z.object({
  /** The begin of the hour. */
  at: epochMsSchema,
  counts: hourCountsSchema,
  workspaces: namedWorkspacesSchema.default(NO_WORKSPACES),
  /** Submissions of feedback by the origin of their page. */
  origins: z.record(z.string(), originTallySchema),
});

export type HourTally = z.infer<typeof hourTallySchema>;

/** A quota of a workspace as the latest commit left it. */
const quotaTallySchema = z.object({
  installationId: z.string(),
  product: z.string(),
  quota: z.string(),
  used: countSchema,
  limit: countSchema,
  resetsAt: epochMsSchema.nullable(),
  /** The end of the workspace, from which its quotas are not shown; null if it has none. */
  endsAt: epochMsSchema.nullable().default(null),
  at: epochMsSchema,
});

export type QuotaTally = z.infer<typeof quotaTallySchema>;

const erasedTallySchema = z.object({ workspaceId: z.string(), at: epochMsSchema });

export type ErasedTally = z.infer<typeof erasedTallySchema>;

/** Processes of the release before report none. */
const erasedTalliesSchema = z.array(erasedTallySchema).max(ERASED_MAX).default([]);

/** The counts of one process for its report. */
export const talliesSchema = z.object({
  hours: z.array(hourTallySchema).max(HOURS_KEPT),
  quotas: z.array(quotaTallySchema).max(QUOTAS_MAX),
  erased: erasedTalliesSchema,
});

export type Tallies = z.infer<typeof talliesSchema>;

export const NO_TALLIES: Tallies = { hours: [], quotas: [], erased: [] };

/** The tallies of all processes as a gateway keeps them for the next process: each hour by process. */
export const keptTalliesSchema = z.object({
  hours: z
    .array(z.object({ at: epochMsSchema, byProcess: z.record(z.string(), hourTallySchema) }))
    .max(HOURS_KEPT),
  quotas: z.array(quotaTallySchema).max(QUOTAS_MAX),
  erased: erasedTalliesSchema,
});

export type KeptTallies = z.infer<typeof keptTalliesSchema>;

/** The latest workspaces behind a number. */
const shownWorkspacesSchema = z
  .array(z.string())
  .max(WORKSPACES_NAMED)
  .meta({ example: [EXAMPLES.workspaceId] });

/** One hour of the life of all workspaces. */
const activityHourSchema = z
  .strictObject({
    at: isoTimeSchema.describe('The begin of the hour.'),
    created: countSchema.meta({ description: 'Workspaces that were created.', example: 38 }),
    refused: countSchema.meta({
      description: 'Creations that were refused because of their address.',
      example: 4,
    }),
    attached: countSchema.meta({
      description: 'Workspaces that were attached to an organization.',
      example: 9,
    }),
    claimed: countSchema.meta({ description: 'Workspaces that were claimed.', example: 5 }),
    expired: countSchema.nullable().meta({
      description: 'Previews that ended without a claim; null where the hour of their creation is not known.',
      example: null,
    }),
    feedbackAccepted: countSchema.meta({
      description: 'Submissions of feedback that were accepted.',
      example: 203,
    }),
    feedbackHeld: countSchema.meta({
      description: 'Submissions that were held, because a program may have sent them.',
      example: 9,
    }),
    runs: countSchema.meta({ description: 'Requested runs of browser checks.', example: 12 }),
    workspaces: z
      .strictObject({
        created: shownWorkspacesSchema,
        attached: shownWorkspacesSchema,
        claimed: shownWorkspacesSchema,
        expired: shownWorkspacesSchema,
      })
      .describe('The workspaces behind these counts: the latest 20 of each.'),
  })
  .meta({ id: 'ActivityHour', description: 'One UTC hour of all workspaces.' });

const originActivitySchema = z
  .strictObject({
    origin: z.string().meta({
      description: 'The origin; `others` for those beyond the 100 of an hour.',
      example: 'https://customer.example',
    }),
    accepted: countSchema.meta({ description: 'Submissions that were accepted.', example: 203 }),
    held: countSchema.meta({ description: 'Submissions that were held.', example: 9 }),
    workspaces: shownWorkspacesSchema.describe('Workspaces that received them: the latest 3.'),
  })
  .meta({ id: 'OriginActivity', description: 'Feedback from the pages of one origin.' });

const { limit, used, remaining, resetsAt } = quotaSchema.shape;

const quotaOutlierSchema = z
  .strictObject({
    workspaceId: z.string().meta({ example: EXAMPLES.workspaceId }),
    product: z.string().meta({ example: 'svcfeedback' }),
    quota: z.string().meta({
      description: 'The quota, as the limits of the workspace name it.',
      example: 'submissions',
    }),
    limit: limit.meta({ description: 'The amount that the plan allows.', example: 50 }),
    used: used.meta({ description: 'The used part of it.', example: 48 }),
    remaining: remaining.meta({ description: 'What is left of it.', example: 2 }),
    resetsAt: resetsAt.meta({ example: null }),
    at: isoTimeSchema.describe('The time of the latest use.'),
  })
  .meta({
    id: 'QuotaOutlier',
    description: 'A quota of which a workspace has used 80 % or more.',
  });

export const activitySchema = z
  .strictObject({
    at: isoTimeSchema.describe('The time of the answer.'),
    since: isoTimeSchema
      .nullable()
      .describe('The begin of the first hour that is known; null before the first report.'),
    isCurrent: z.boolean().meta({
      description: 'False while the numbers of other processes cannot be read.',
      example: true,
    }),
    hours: z
      .array(activityHourSchema)
      .describe('The latest 24 hours, as far as they are known, the newest first.'),
    origins: z
      .array(originActivitySchema)
      .describe('Feedback of these hours by origin, the most held first.'),
    quotas: z
      .array(quotaOutlierSchema)
      .describe(
        'Quotas that are nearly used up, the fullest first: the 200 that were used last, within four days.',
      ),
  })
  .meta({
    id: 'Activity',
    description:
      'What happened to workspaces by the hour. What a process counted in its last seconds may be lost with it.',
  });

export type Activity = z.infer<typeof activitySchema>;
