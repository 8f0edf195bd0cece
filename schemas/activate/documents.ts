import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { hourlyCountsSchema } from '../base/hourly-counts.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { monthUseSchema } from '../base/quota.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { checklistConfigurationSchema, stepKeySchema } from './configuration.ts';

const count = z.int().nonnegative();
const revision = z.int().positive();

/** Whom a checklist is shown to: synthetic subjects, or real ones once the workspace is claimed. */
export const subjectCohortSchema = z.enum(['test', 'live']).meta({
  id: 'SubjectCohort',
  description: '`test` for synthetic subjects, `live` for real ones.',
});
export type SubjectCohort = z.infer<typeof subjectCohortSchema>;

export const SUBJECT_COHORTS = subjectCohortSchema.options;

/** Root document of the table `activate`. The aggregate's id is the installation's. */
export const activateRootSchema = z.strictObject({
  /** The workspace's last lifecycle record (ARCHITECTURE.md, rule 7); null before the first. */
  lifecycle: lifecycleSchema.nullable(),
  /** In roots from when a pause ended sessions; it means nothing any more. */
  pauses: count.optional(),
  /** Checklists, enrollments and accepted events ever. Never refunded. */
  checklistsMade: count,
  enrollmentsMade: count,
  eventsAccepted: count,
  /** The events of the latest UTC month of a claimed workspace; null while it is a preview. */
  eventsInMonth: monthUseSchema,
  /** The latest accepted event, as what a claim can rest on. It tells of no subject. */
  lastEvent: z.strictObject({ checklistId: idSchema('checklist'), at: epochMsSchema }).nullable(),
  /** Accepted events by hour; absent before the first one. */
  activity: hourlyCountsSchema.optional(),
});

export type ActivateRoot = z.infer<typeof activateRootSchema>;

/** The root before anything was folded. */
export const EMPTY_ACTIVATE_ROOT: ActivateRoot = {
  lifecycle: null,
  checklistsMade: 0,
  enrollmentsMade: 0,
  eventsAccepted: 0,
  eventsInMonth: null,
  lastEvent: null,
};

/** Row kind `checklist`, id: the checklist's. The checklist's current revision. */
const checklistDocumentSchema = z.strictObject({
  name: z.string(),
  revision,
  allowedOrigins: z.array(originSchema),
  createdAt: epochMsSchema,
  updatedAt: epochMsSchema,
});

export type ChecklistDocument = z.infer<typeof checklistDocumentSchema>;

/** Row kind `revision`, id: {@link revisionRowId}. Never changed. */
const revisionDocumentSchema = z.strictObject({
  configuration: checklistConfigurationSchema,
  /** SHA-256 over the canonical JSON of the configuration. */
  digest: sha256Schema,
  createdAt: epochMsSchema,
});

export type RevisionDocument = z.infer<typeof revisionDocumentSchema>;

/** Row kind `summary`, id: {@link summaryRowId}. The counts over all enrollments of one revision and cohort. */
export const summaryDocumentSchema = z.strictObject({
  enrollments: count,
  /** Those that have every milestone. */
  complete: count,
  acceptedEvents: count,
  /** The number of enrollments with each milestone, in the order of the revision's steps. */
  completed: z.array(count),
});

export type SummaryDocument = z.infer<typeof summaryDocumentSchema>;

/**
 * A milestone that a subject has completed: its step, and what names the outcome rows that answer a repeat
 * ({@link outcomeName}): of the event that completed it, then of alternate keys. Erasing the enrollment takes them along.
 */
const milestoneSchema = z.tuple([stepKeySchema, z.string()], z.string());

export type Milestone = z.infer<typeof milestoneSchema>;

/** The operation of an event, whether it is sent alone or with others. */
export const RECORD_EVENT_OPERATION = 'recordEvent';

/** An outcome row's id as enrollments hold it: the usual operation is left out. No operation's name is empty. */
export function outcomeName(rowId: string): string {
  return rowId.startsWith(`${RECORD_EVENT_OPERATION}:`) ? rowId.slice(RECORD_EVENT_OPERATION.length) : rowId;
}

/** The inverse of {@link outcomeName}. */
export function outcomeNamed(name: string): string {
  return name.startsWith(':') ? `${RECORD_EVENT_OPERATION}${name}` : name;
}

/** Row kind `enrollment`, id: derived from checklist, cohort and subject. Small, because every event writes one. */
export const enrollmentDocumentSchema = z.strictObject({
  checklistId: idSchema('checklist'),
  cohort: subjectCohortSchema,
  /** The revision that was current when the subject was first seen. */
  revision,
  /** In the order in which they were completed. */
  milestones: z.array(milestoneSchema),
});

export type EnrollmentDocument = z.infer<typeof enrollmentDocumentSchema>;

/** The right of one page to read one subject's progress for a while. */
const progressSessionSchema = z.strictObject({
  /** SHA-256 of its token (`svc_progress_…`). */
  digest: sha256Schema,
  origin: originSchema,
  /** Its own end; while the workspace is a preview, the preview's end bounds it. */
  endsAt: epochMsSchema,
});

export type ProgressSession = z.infer<typeof progressSessionSchema>;

/** Row kind `sessions`, id: the enrollment's, whether there is one or not. A handful by limit, the oldest first. */
export const sessionsDocumentSchema = z.strictObject({
  /** In rows from when a pause ended sessions; it means nothing any more. */
  pauses: count.optional(),
  sessions: z.array(progressSessionSchema),
});

export type SessionsDocument = z.infer<typeof sessionsDocumentSchema>;

export const activateRowSchemas = {
  checklist: checklistDocumentSchema,
  revision: revisionDocumentSchema,
  summary: summaryDocumentSchema,
  enrollment: enrollmentDocumentSchema,
  sessions: sessionsDocumentSchema,
} as const;

export type ActivateRows = {
  [Kind in keyof typeof activateRowSchemas]: z.infer<(typeof activateRowSchemas)[Kind]>;
};

export function revisionRowId(checklistId: string, number: number): string {
  return `${checklistId}/${number}`;
}

export function summaryRowId(checklistId: string, number: number, cohort: SubjectCohort): string {
  return `${checklistId}/${number}/${cohort}`;
}

/** Target of a look-up of kind `progress-token`. */
export const progressTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  checklistId: idSchema('checklist'),
  enrollment: idSchema('enrollment'),
});
