import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { isoTimeSchema } from '../base/time.ts';
import { planSchema, workspaceStateSchema } from '../workspaces/lifecycle.ts';
import {
  checkedOriginSchema,
  profileConfigurationSchema,
  suiteConfigurationSchema,
} from './configuration.ts';
import { failureSchema, flowResultSchema, runStatusSchema } from './results.ts';

/** The version marker of every request and answer here. */
export const CHECK_SCHEMA_VERSION = '2026-08-24';

const count = z.int().nonnegative();
const schemaVersion = z.literal(CHECK_SCHEMA_VERSION);
const originId = idSchema('origin');
const accessProfileId = idSchema('accessProfile');
const suiteId = idSchema('suite');
const runId = idSchema('run');
const versioned = { schemaVersion, idempotencyKey: idempotencyKeySchema };
const verificationMethod = z.literal('well_known_file');
const nextCursor = z.string().nullable();

/** The bodies of requests. */
export const createOriginRequestSchema = z.strictObject({
  ...versioned,
  origin: checkedOriginSchema,
  verificationMethod,
});

export const confirmOriginRequestSchema = z.strictObject(versioned);

export const createProfileRequestSchema = z.strictObject({
  ...versioned,
  originId,
  ...profileConfigurationSchema.shape,
});

export const createSuiteRequestSchema = z.strictObject({
  ...versioned,
  originId,
  accessProfileId: accessProfileId.optional(),
  ...suiteConfigurationSchema.shape,
});

export const createRunRequestSchema = z.strictObject({ ...versioned, suiteId });

/** Path and query parameters. */
export const installationParamsSchema = z.strictObject({ installationId: idSchema('installation') });
export const originParamsSchema = installationParamsSchema.extend({ originId });
export const runParamsSchema = installationParamsSchema.extend({ runId });
export const workspaceParamsSchema = z.strictObject({ workspaceId: idSchema('workspace') });
export const workspaceOriginParamsSchema = workspaceParamsSchema.extend({ originId });
export const workspaceRunParamsSchema = workspaceParamsSchema.extend({ runId });

export const runsQuerySchema = z.strictObject({
  suiteId: suiteId.optional(),
  cursor: runId.optional(),
  limit: pageLimitSchema,
});

/** Answers. */
export const originAnswerSchema = z.strictObject({
  schemaVersion,
  originId,
  origin: z.string(),
  verificationMethod,
  state: z.enum(['pending', 'verified']),
  challenge: z.strictObject({ url: z.string(), content: z.string(), expiresAt: isoTimeSchema }),
  createdAt: isoTimeSchema,
  verifiedAt: isoTimeSchema.nullable(),
  /** The time by which the proof has to be renewed; null while it is pending. */
  renewBy: isoTimeSchema.nullable(),
});

export const profileAnswerSchema = z.strictObject({
  schemaVersion,
  accessProfileId,
  originId,
  ...profileConfigurationSchema.shape,
  createdAt: isoTimeSchema,
});

export const suiteAnswerSchema = z.strictObject({
  schemaVersion,
  suiteId,
  originId,
  accessProfileId: accessProfileId.nullable(),
  ...suiteConfigurationSchema.shape,
  createdAt: isoTimeSchema,
});

export const runAnswerSchema = z.strictObject({
  schemaVersion,
  runId,
  suiteId,
  originId,
  status: runStatusSchema,
  /** Only true establishes a passing result. */
  verified: z.boolean(),
  flows: z.array(flowResultSchema),
  failure: failureSchema.nullable(),
  consoleErrors: count,
  networkErrors: count,
  blockedRequests: count,
  finalUrl: z.string().nullable(),
  requestedAt: isoTimeSchema,
  startedAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
  /** The screenshot, which owners and admins of the organization can see until this time; null if there is none. */
  screenshotExpiresAt: isoTimeSchema.nullable(),
});

export const originListSchema = z.strictObject({ schemaVersion, origins: z.array(originAnswerSchema) });
export const suiteListSchema = z.strictObject({ schemaVersion, suites: z.array(suiteAnswerSchema) });
export const profileListSchema = z.strictObject({
  schemaVersion,
  accessProfiles: z.array(profileAnswerSchema),
});
export const runListSchema = z.strictObject({ schemaVersion, runs: z.array(runAnswerSchema), nextCursor });

/** GET `/v1/agent/svccheck`. */
export const checkProductSchema = z.strictObject({
  installationId: idSchema('installation'),
  product: z.literal('svccheck'),
  state: workspaceStateSchema,
  plan: planSchema,
  limits: z.strictObject({ origins: quotaSchema, suites: quotaSchema, runs: quotaSchema }),
});
