import { z } from 'zod';
import { hourlyCountsSchema } from '../base/hourly-counts.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { monthUseSchema } from '../base/quota.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { profileConfigurationSchema, suiteConfigurationSchema } from './configuration.ts';
import { runFindingsSchema, runStatusSchema } from './results.ts';

const count = z.int().nonnegative();
const runId = idSchema('run');

/** Root document of the table `checks`. The aggregate's id is the installation's. */
export const checksRootSchema = z.strictObject({
  /** The workspace's last lifecycle record (ARCHITECTURE.md, rule 7); null before the first. */
  lifecycle: lifecycleSchema.nullable(),
  /** Origins, access profiles and suites ever. Never refunded. */
  originsMade: count,
  profilesMade: count,
  suitesMade: count,
  /** Runs ever, without those that no runner took. */
  runsMade: count,
  /** The same in the latest UTC month of a claimed workspace; null while it is a preview. */
  runsInMonth: monthUseSchema,
  /** Every origin, in the order of their creation. A plan allows a handful. */
  origins: z.array(z.strictObject({ originId: idSchema('origin'), origin: originSchema })),
  /** Runs that have not ended, each with its deadline. After that it does not count, and the next request ends it. */
  activeRuns: z.array(z.strictObject({ runId, deadlineAt: epochMsSchema })),
  /** The latest verified run, on which a claim can rest. */
  lastVerified: z.strictObject({ runId, at: epochMsSchema }).nullable(),
  /** Requested runs by hour; absent before the first one. */
  activity: hourlyCountsSchema.optional(),
});

export type ChecksRoot = z.infer<typeof checksRootSchema>;

/** The root before anything was folded. */
export const EMPTY_CHECKS_ROOT: ChecksRoot = {
  lifecycle: null,
  originsMade: 0,
  profilesMade: 0,
  suitesMade: 0,
  runsMade: 0,
  runsInMonth: null,
  origins: [],
  activeRuns: [],
  lastVerified: null,
};

/** The random part of a challenge: base32 of 15 bytes. */
export const challengeTokenSchema = z.string().regex(/^[a-z2-7]{24}$/);

/** Row kind `origin`, id: the origin's. */
export const originDocumentSchema = z.strictObject({
  origin: originSchema,
  token: challengeTokenSchema,
  createdAt: epochMsSchema,
  /** The latest confirmation; null before the first. */
  verifiedAt: epochMsSchema.nullable(),
  /** The end of the challenge; once confirmed, the time by which the proof has to be renewed. */
  endsAt: epochMsSchema,
});

export type OriginDocument = z.infer<typeof originDocumentSchema>;

/** Row kind `profile`, id: the access profile's. Never changed. */
export const profileDocumentSchema = z.strictObject({
  originId: idSchema('origin'),
  configuration: profileConfigurationSchema,
  createdAt: epochMsSchema,
});

export type ProfileDocument = z.infer<typeof profileDocumentSchema>;

/** Row kind `suite`, id: the suite's. Never changed. */
export const suiteDocumentSchema = z.strictObject({
  originId: idSchema('origin'),
  accessProfileId: idSchema('accessProfile').nullable(),
  configuration: suiteConfigurationSchema,
  createdAt: epochMsSchema,
});

export type SuiteDocument = z.infer<typeof suiteDocumentSchema>;

/** A screenshot as a private blob (`blobs.ts`). */
export const screenshotSchema = z.strictObject({
  name: z.string().regex(/^[a-z2-7]{24}$/),
  byteLength: z.int().positive(),
  expiresAt: epochMsSchema,
});

export type Screenshot = z.infer<typeof screenshotSchema>;

/** Row kind `run`, id: the run's. */
export const runDocumentSchema = z.strictObject({
  suiteId: idSchema('suite'),
  originId: idSchema('origin'),
  status: runStatusSchema,
  verified: z.boolean(),
  requestedAt: epochMsSchema,
  startedAt: epochMsSchema.nullable(),
  endedAt: epochMsSchema.nullable(),
  /** The time from which on a run without an end gets one, and no result any more. */
  deadlineAt: epochMsSchema,
  /** Names the attempt that drives the browser; null before it begins. */
  driver: z.string().nullable(),
  /** Null before the end. */
  findings: runFindingsSchema.nullable(),
  screenshot: screenshotSchema.nullable(),
});

export type RunDocument = z.infer<typeof runDocumentSchema>;

/** Row kind `runs`, id {@link RUNS_ROW_ID}: the runs that are kept, the latest first. */
const runsDocumentSchema = z.strictObject({
  runs: z.array(z.strictObject({ runId, suiteId: idSchema('suite') })),
});

export const RUNS_ROW_ID = 'all';

export const checksRowSchemas = {
  origin: originDocumentSchema,
  profile: profileDocumentSchema,
  suite: suiteDocumentSchema,
  run: runDocumentSchema,
  runs: runsDocumentSchema,
} as const;

export type ChecksRows = {
  [Kind in keyof typeof checksRowSchemas]: z.infer<(typeof checksRowSchemas)[Kind]>;
};
