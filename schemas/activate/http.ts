import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { errorCodeSchema } from '../base/errors.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema, pageOriginSchema } from '../base/origin.ts';
import { queryNumberSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { exampleSecret } from '../base/secrets.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { planSchema, workspaceStateSchema } from '../workspaces/lifecycle.ts';
import { EVENTS_IN_BATCH_MAX } from './commands.ts';
import {
  checklistConfigurationRequestSchema,
  checklistConfigurationSchema,
  EXAMPLE_STEPS,
  shownConfigurationSchema,
  stepKeySchema,
  stepSchema,
} from './configuration.ts';
import { subjectCohortSchema } from './documents.ts';

/** The version marker of every request and answer here. */
export const CHECKLIST_SCHEMA_VERSION = '2026-09-07';

const count = z.int().nonnegative();
const checklistId = idSchema('checklist');
const schemaVersion = z.literal(CHECKLIST_SCHEMA_VERSION).describe('The version of this contract.');
const revision = z.int().positive().meta({ description: 'The number of the revision, from 1.', example: 1 });
const name = z.string().meta({ example: 'Getting started' });
const configuration = checklistConfigurationSchema;

const subjectFields = {
  subjectDigest: sha256Schema.meta({
    description:
      'HMAC-SHA256 of your id of the user, as 64 lower-case hexadecimal characters, with a secret of your backend as the key.',
    example: 'b1c5d3b4c0b7a3f5f5d9c0a1e2f30415263748596a7b8c9d0e1f2a3b4c5d6e7f',
  }),
  cohort: subjectCohortSchema.describe(
    '`test` for synthetic subjects; `live` for real ones, which need a claimed workspace.',
  ),
};

/** The bodies of requests. */
export const createChecklistRequestSchema = z
  .strictObject({
    schemaVersion,
    idempotencyKey: idempotencyKeySchema,
    configuration: checklistConfigurationRequestSchema,
  })
  .meta({ id: 'CreateChecklistRequest', description: 'A checklist to be created.' });

export const reviseChecklistRequestSchema = createChecklistRequestSchema
  .extend({
    expectedRevision: revision.describe('The revision that the caller has seen as the current one.'),
  })
  .meta({ id: 'ReviseChecklistRequest', description: 'The next revision of a checklist.' });

export const eventRequestSchema = z
  .strictObject({
    schemaVersion,
    idempotencyKey: idempotencyKeySchema.meta({
      description: 'The stable id of the record in the outbox of your backend. Every attempt has the same.',
      example: 'outbox-1042',
    }),
    ...subjectFields,
    eventKey: stepKeySchema.describe('The key of a step in the revision of the subject.'),
  })
  .meta({ id: 'RecordEventRequest', description: 'A milestone that a subject has reached.' });

export const eventInBatchSchema = eventRequestSchema.omit({ schemaVersion: true }).meta({
  id: 'EventInBatch',
  description: 'A milestone that a subject has reached, among others of its checklist.',
});

export type EventInBatch = z.output<typeof eventInBatchSchema>;

/** An entry that is no event. It is refused in its place, and the others are recorded. */
export class WrongEvent {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export const eventsRequestSchema = z
  .strictObject({
    schemaVersion,
    events: z
      .array(
        eventInBatchSchema.catch(
          // The type of `.catch` admits only what the schema returns.
          ({ value }: { readonly value: unknown }) => new WrongEvent(value) as unknown as EventInBatch,
        ),
      )
      .min(1)
      .max(EVENTS_IN_BATCH_MAX)
      .describe('The events, in the order in which they are recorded.'),
  })
  .meta({ id: 'RecordEventsRequest', description: 'Milestones of one checklist.' });

export const sessionRequestSchema = z
  .strictObject({
    schemaVersion,
    ...subjectFields,
    origin: pageOriginSchema.describe('The origin of the page: one of those that the checklist allows.'),
  })
  .meta({ id: 'IssueProgressSessionRequest', description: 'The subject and the page of a session.' });

export const eraseSubjectRequestSchema = z
  .strictObject(subjectFields)
  .meta({ id: 'EraseSubjectRequest', description: 'The subject to erase.' });

/** Path and query parameters. */
export const summaryQuerySchema = z.strictObject({
  revision: queryNumberSchema(1).meta({ description: 'The revision to count.', example: 1 }),
  cohort: subjectCohortSchema.describe('The cohort to count.'),
});

/** Answers. */
export const checklistAnswerSchema = z
  .strictObject({
    schemaVersion,
    checklistId,
    revision,
    configuration,
    createdAt: isoTimeSchema.describe('The time at which the revision was created.'),
  })
  .meta({ id: 'Checklist', description: 'A checklist in its current revision.' });

const listedChecklistSchema = z
  .strictObject({
    checklistId,
    name,
    revision: revision.describe('The current revision.'),
    allowedOrigins: z
      .array(originSchema)
      .describe('Origins of the pages that may read progress. Without any, no session can be issued.'),
    createdAt: isoTimeSchema,
    updatedAt: isoTimeSchema,
  })
  .meta({ id: 'ChecklistSummary', description: 'A checklist as lists show it.' });

export const checklistListSchema = z
  .strictObject({
    schemaVersion,
    checklists: z.array(listedChecklistSchema).describe('The checklists, in the order of their creation.'),
    ...unreadableMember,
  })
  .meta({ id: 'ChecklistList', description: 'All checklists.' });

const completionFields = {
  completedSteps: count.meta({ description: 'Milestones that the subject has completed.', example: 1 }),
  totalSteps: z
    .int()
    .positive()
    .meta({ description: 'Milestones in the revision of the subject.', example: 2 }),
  complete: z.boolean().describe('True if all are completed.'),
};

export const eventAnswerSchema = z
  .strictObject({
    eventId: idSchema('event'),
    outcome: z
      .enum(['completed', 'already_completed'])
      .describe('`already_completed` if another event had completed the milestone.'),
    ...completionFields,
    receivedAt: isoTimeSchema,
  })
  .meta({
    id: 'EventOutcome',
    description: 'The outcome of an event. A repeat with the same key and body gets the same answer.',
  });

export const eventRefusalSchema = z
  .strictObject({
    error: z
      .strictObject({
        code: errorCodeSchema.meta({
          description: 'The code that the event alone would be refused with.',
          example: 'claim_required',
        }),
        message: z.string().meta({
          description: 'A sentence for people. It may change.',
          example: 'body.cohort: seen live in a preview, expected test or a claimed workspace.',
        }),
      })
      .meta({ id: 'EventError', description: 'The reason why an event was not accepted.' }),
    retryAfterMs: z.int().positive().optional().meta({
      description: 'Milliseconds after which waiting helps. Absent where it does not.',
      example: 60_000,
    }),
  })
  .meta({ id: 'EventRefusal', description: 'An event that was not accepted. It has changed nothing.' });

export const eventsAnswerSchema = z
  .strictObject({
    schemaVersion,
    results: z
      .array(z.union([eventAnswerSchema, eventRefusalSchema]))
      .describe('The outcome of each event, in the order of the request.'),
  })
  .meta({ id: 'EventOutcomes', description: 'The outcomes of the events of one request.' });

export const progressSessionAnswerSchema = z
  .strictObject({
    schemaVersion,
    token: z.string().meta({
      description: 'The secret, for `Authorization: Bearer`.',
      get example() {
        return exampleSecret('progress');
      },
    }),
    expiresAt: isoTimeSchema.meta({ example: '2026-09-07T10:20:00.000Z' }),
    progressUrl: z.url().meta({
      description: 'The address at which the page reads the progress.',
      example: 'https://ingest.example.com/v1/activate/progress',
    }),
  })
  .meta({
    id: 'ProgressSession',
    description: 'The right of one page to read the progress of one subject. Give it to that user only.',
  });

const progressStepSchema = stepSchema
  .extend({ completed: z.boolean().describe('True if the subject has completed it.') })
  .meta({ id: 'ProgressStep', description: 'A milestone with its state.' });

/** The progress of one subject, as a page shows it. It identifies no person. */
export const progressSchema = z
  .strictObject({
    schemaVersion,
    name,
    revision: revision.describe('The revision in which the subject is enrolled.'),
    ...shownConfigurationSchema.omit({ name: true }).shape,
    steps: z.array(progressStepSchema).meta({
      example: EXAMPLE_STEPS.map((step, index) => ({ ...step, completed: index === 0 })),
    }),
    ...completionFields,
  })
  .meta({ id: 'Progress', description: 'The progress of one subject. It has no name or id of the subject.' });
/** The progress of one subject, as the widget reads it. */
export type Progress = z.output<typeof progressSchema>;
/** The right of a page to read it. */
export type ProgressSession = z.output<typeof progressSessionAnswerSchema>;

const stepCountSchema = z
  .strictObject({
    key: stepKeySchema,
    completed: count.meta({ description: 'Subjects that have completed it.', example: 9 }),
  })
  .meta({ id: 'ChecklistStepCount', description: 'Completions of one step.' });

export const summarySchema = z
  .strictObject({
    schemaVersion,
    checklistId,
    revision,
    cohort: subjectCohortSchema,
    enrollments: count.meta({
      description: 'Subjects with at least one accepted event, without erased ones.',
      example: 10,
    }),
    complete: count.meta({ description: 'Subjects that have completed every step.', example: 4 }),
    acceptedEvents: count.meta({ example: 15 }),
    steps: z.array(stepCountSchema).meta({
      example: [
        { key: 'connect', completed: 9 },
        { key: 'invite', completed: 5 },
      ],
    }),
  })
  .meta({ id: 'ChecklistCounts', description: 'Counts of one revision and cohort.' });

export type Summary = z.infer<typeof summarySchema>;

export const activateProductSchema = z
  .strictObject({
    installationId: idSchema('installation'),
    product: z.literal('svcactivate'),
    state: workspaceStateSchema,
    plan: planSchema,
    limits: z
      .strictObject({
        checklists: quotaSchema.describe('Checklists ever created.'),
        enrollments: quotaSchema.describe('Subjects ever enrolled.'),
        events: quotaSchema.describe(
          'Accepted events: of the preview, or of the calendar month of a claimed workspace.',
        ),
      })
      .meta({ id: 'ChecklistLimits', description: 'Limits of onboarding checklists.' }),
  })
  .meta({
    id: 'ChecklistProduct',
    description: 'The state and the limits of onboarding checklists in a workspace.',
  });

/** A checklist as its owner sees it. */
export const checklistHistorySchema = z
  .strictObject({
    checklistId,
    revisions: z
      .array(
        z
          .strictObject({ revision, configuration, createdAt: isoTimeSchema })
          .meta({ id: 'ChecklistRevision', description: 'A revision of a checklist.' }),
      )
      .describe('The revisions, oldest first.'),
    ...unreadableMember,
  })
  .meta({ id: 'ChecklistHistory', description: 'A checklist with its revisions.' });

/** GET `…/export`: everything of a checklist that tells of no subject. */
export const checklistExportSchema = z
  .strictObject({
    configuration: checklistHistorySchema,
    aggregates: z.array(summarySchema).describe('Counts by revision and cohort.'),
    ...unreadableMember,
  })
  .meta({
    id: 'ChecklistExport',
    description: 'The configuration and the counts of a checklist. It has no data of subjects.',
  });

export const subjectErasureSchema = z
  .strictObject({
    erased: z.boolean().meta({ description: 'False if there was nothing of this subject.', example: true }),
    erasedAt: isoTimeSchema.nullable().describe('The time of the erasure; null if there was nothing.'),
  })
  .meta({ id: 'SubjectErasure', description: 'The outcome of an erasure.' });
