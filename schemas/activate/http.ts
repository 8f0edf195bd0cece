import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { pageOriginSchema } from '../base/origin.ts';
import { queryNumberSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { isoTimeSchema } from '../base/time.ts';
import { planSchema, workspaceStateSchema } from '../workspaces/lifecycle.ts';
import {
  checklistConfigurationRequestSchema,
  checklistConfigurationSchema,
  stepKeySchema,
  stepSchema,
} from './configuration.ts';
import { subjectCohortSchema } from './documents.ts';

/** The version marker of every request and answer here. */
export const CHECKLIST_SCHEMA_VERSION = '2026-09-07';

const count = z.int().nonnegative();
const checklistId = idSchema('checklist');
const schemaVersion = z.literal(CHECKLIST_SCHEMA_VERSION);

/**
 * The customer's backend names a subject by HMAC-SHA256 of its user id, keyed with a secret that only the backend
 * knows.
 */
const subjectFields = { subjectDigest: sha256Schema, cohort: subjectCohortSchema };

/** The bodies of requests. */
export const createChecklistRequestSchema = z.strictObject({
  schemaVersion,
  idempotencyKey: idempotencyKeySchema,
  configuration: checklistConfigurationRequestSchema,
});

export const reviseChecklistRequestSchema = createChecklistRequestSchema.extend({
  /** The revision that the caller has seen as the current one. */
  expectedRevision: z.int().positive(),
});

export const eventRequestSchema = z.strictObject({
  schemaVersion,
  /** The stable id of the backend's outbox record. */
  idempotencyKey: idempotencyKeySchema,
  ...subjectFields,
  eventKey: stepKeySchema,
});

export const sessionRequestSchema = z.strictObject({
  schemaVersion,
  ...subjectFields,
  origin: pageOriginSchema,
});

export const eraseSubjectRequestSchema = z.strictObject(subjectFields);

/** Path and query parameters. */
export const installationParamsSchema = z.strictObject({ installationId: idSchema('installation') });
export const installationChecklistParamsSchema = installationParamsSchema.extend({ checklistId });
export const workspaceParamsSchema = z.strictObject({ workspaceId: idSchema('workspace') });
export const workspaceChecklistParamsSchema = workspaceParamsSchema.extend({ checklistId });

export const summaryQuerySchema = z.strictObject({
  revision: queryNumberSchema(1),
  cohort: subjectCohortSchema,
});

/** Answers. */
export const checklistAnswerSchema = z.strictObject({
  schemaVersion,
  checklistId,
  revision: z.int().positive(),
  configuration: checklistConfigurationSchema,
  createdAt: isoTimeSchema,
});

export const checklistListSchema = z.strictObject({
  schemaVersion,
  /** In the order in which they were made. */
  checklists: z.array(
    z.strictObject({
      checklistId,
      name: z.string(),
      revision: z.int().positive(),
      allowedOrigins: z.array(z.string()),
      createdAt: isoTimeSchema,
      updatedAt: isoTimeSchema,
    }),
  ),
});

export const eventAnswerSchema = z.strictObject({
  eventId: idSchema('event'),
  outcome: z.enum(['completed', 'already_completed']),
  completedSteps: count,
  totalSteps: z.int().positive(),
  complete: z.boolean(),
  receivedAt: isoTimeSchema,
});

export const progressSessionAnswerSchema = z.strictObject({
  schemaVersion,
  token: z.string(),
  expiresAt: isoTimeSchema,
  progressUrl: z.url(),
});

/** The progress of one subject, as a page shows it. It identifies no person. */
export const progressSchema = z.strictObject({
  schemaVersion,
  name: z.string(),
  revision: z.int().positive(),
  steps: z.array(stepSchema.extend({ completed: z.boolean() })),
  completedSteps: count,
  totalSteps: z.int().positive(),
  complete: z.boolean(),
});

export const summarySchema = z.strictObject({
  schemaVersion,
  checklistId,
  revision: z.int().positive(),
  cohort: subjectCohortSchema,
  /** Subjects with at least one accepted event, but for those that were erased. */
  enrollments: count,
  /** Those that have completed every step. */
  complete: count,
  acceptedEvents: count,
  steps: z.array(z.strictObject({ key: stepKeySchema, completed: count })),
});

export type Summary = z.infer<typeof summarySchema>;

/** GET `/v1/agent/svcactivate`. */
export const activateProductSchema = z.strictObject({
  installationId: idSchema('installation'),
  product: z.literal('svcactivate'),
  state: workspaceStateSchema,
  plan: planSchema,
  limits: z.strictObject({
    checklists: quotaSchema,
    enrollments: quotaSchema,
    events: quotaSchema,
  }),
});

/** A checklist as its owner sees it. */
export const checklistHistorySchema = z.strictObject({
  checklistId,
  /** The oldest first. */
  revisions: z.array(
    z.strictObject({
      revision: z.int().positive(),
      configuration: checklistConfigurationSchema,
      createdAt: isoTimeSchema,
    }),
  ),
});

/** GET `…/export`: everything of a checklist that tells of no subject. */
export const checklistExportSchema = z.strictObject({
  configuration: checklistHistorySchema,
  aggregates: z.array(summarySchema),
});

export const subjectErasureSchema = z.strictObject({
  /** False where there was nothing of this subject. */
  erased: z.boolean(),
  erasedAt: isoTimeSchema.nullable(),
});
