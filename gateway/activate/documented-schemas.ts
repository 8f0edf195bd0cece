import {
  checklistConfigurationRequestSchema,
  checklistConfigurationSchema,
  stepSchema,
} from '../../schemas/activate/configuration.ts';
import { subjectCohortSchema } from '../../schemas/activate/documents.ts';
import {
  activateProductSchema,
  CHECKLIST_SCHEMA_VERSION,
  checklistAnswerSchema,
  checklistExportSchema,
  checklistHistorySchema,
  checklistListSchema,
  createChecklistRequestSchema,
  eraseSubjectRequestSchema,
  eventAnswerSchema,
  eventRequestSchema,
  progressSchema,
  progressSessionAnswerSchema,
  reviseChecklistRequestSchema,
  sessionRequestSchema,
  subjectErasureSchema,
  summarySchema,
} from '../../schemas/activate/http.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES, exampleSecret } from '../http/example-values.ts';

const { checklistId, at, later, origin } = EXAMPLES;
const schemaVersion = CHECKLIST_SCHEMA_VERSION as typeof CHECKLIST_SCHEMA_VERSION;
const VERSION = 'The version of this contract.';
const CONNECT = {
  key: 'connect',
  label: 'Connect your data',
  description: 'Choose the source of your orders.',
  actionPath: '/connect',
};
const INVITE = {
  key: 'invite',
  label: 'Invite a colleague',
  description: 'Work together.',
  actionPath: '/team',
};
const CONFIGURATION = { name: 'Getting started', allowedOrigins: [origin], steps: [CONNECT, INVITE] };
const SUBJECT = {
  subjectDigest: 'b1c5d3b4c0b7a3f5f5d9c0a1e2f30415263748596a7b8c9d0e1f2a3b4c5d6e7f',
  cohort: 'test' as const,
};
const SUMMARY = {
  schemaVersion,
  checklistId,
  revision: 1,
  cohort: 'test' as const,
  enrollments: 10,
  complete: 4,
  acceptedEvents: 15,
  steps: [
    { key: 'connect', completed: 9 },
    { key: 'invite', completed: 5 },
  ],
};
const REVISION = { revision: 1, configuration: CONFIGURATION, createdAt: at };
const HISTORY = { checklistId, revisions: [REVISION] };
export const CHECKLIST_EXPORT = { configuration: HISTORY, aggregates: [SUMMARY] };
const QUOTA = { limit: 2, used: 1, remaining: 1, resetsAt: null };
const LIMITS = {
  checklists: QUOTA,
  enrollments: { limit: 25, used: 10, remaining: 15, resetsAt: null },
  events: { limit: 200, used: 15, remaining: 185, resetsAt: null },
};
const LISTED = {
  checklistId,
  name: 'Getting started',
  revision: 1,
  allowedOrigins: [origin],
  createdAt: at,
  updatedAt: at,
};

const CONFIGURATION_MEMBERS = {
  allowedOrigins: 'Origins of the pages that may read progress. Without any, no session can be issued.',
  steps: 'The milestones, in the order in which pages show them.',
};
const SUBJECT_MEMBERS = {
  subjectDigest:
    'HMAC-SHA256 of your id of the user, as 64 lower-case hexadecimal characters, with a secret of your backend as the key.',
  cohort: '`test` for synthetic subjects; `live` for real ones, which need a claimed workspace.',
};
const COUNT_MEMBERS = {
  completedSteps: 'Milestones that the subject has completed.',
  totalSteps: 'Milestones in the revision of the subject.',
  complete: 'True if all are completed.',
};

const requests = [
  nameSchema(
    'CreateChecklistRequest',
    createChecklistRequestSchema,
    'A checklist to be created.',
    { schemaVersion, idempotencyKey: 'checklist-1', configuration: CONFIGURATION },
    { schemaVersion: VERSION },
  ),
  nameSchema(
    'ReviseChecklistRequest',
    reviseChecklistRequestSchema,
    'The next revision of a checklist.',
    {
      schemaVersion,
      idempotencyKey: 'checklist-1-revision-2',
      expectedRevision: 1,
      configuration: CONFIGURATION,
    },
    { schemaVersion: VERSION, expectedRevision: 'The revision that the caller has seen as the current one.' },
  ),
  nameSchema(
    'ChecklistConfigurationRequest',
    checklistConfigurationRequestSchema,
    'The content of a checklist, and the pages that may show it.',
    CONFIGURATION,
    CONFIGURATION_MEMBERS,
  ),
  nameSchema(
    'RecordEventRequest',
    eventRequestSchema,
    'A milestone that a subject has reached.',
    { schemaVersion, idempotencyKey: 'outbox-1042', ...SUBJECT, eventKey: 'connect' },
    {
      schemaVersion: VERSION,
      idempotencyKey:
        'The stable id of the record in the outbox of your backend. Every attempt has the same.',
      ...SUBJECT_MEMBERS,
      eventKey: 'The key of a step in the revision of the subject.',
    },
  ),
  nameSchema(
    'IssueProgressSessionRequest',
    sessionRequestSchema,
    'The subject and the page of a session.',
    { schemaVersion, ...SUBJECT, origin },
    {
      schemaVersion: VERSION,
      ...SUBJECT_MEMBERS,
      origin: 'The origin of the page: one of those that the checklist allows.',
    },
  ),
  nameSchema(
    'EraseSubjectRequest',
    eraseSubjectRequestSchema,
    'The subject to erase.',
    SUBJECT,
    SUBJECT_MEMBERS,
  ),
];

const answers = [
  nameSchema(
    'Checklist',
    checklistAnswerSchema,
    'A checklist in its current revision.',
    { schemaVersion, checklistId, revision: 1, configuration: CONFIGURATION, createdAt: at },
    {
      schemaVersion: VERSION,
      revision: 'The number of the revision, from 1.',
      createdAt: 'The time at which the revision was created, in UTC.',
    },
  ),
  nameSchema(
    'ChecklistConfiguration',
    checklistConfigurationSchema,
    'The content of a checklist, and the pages that may show it.',
    CONFIGURATION,
    CONFIGURATION_MEMBERS,
  ),
  nameSchema('ChecklistStep', stepSchema, 'A milestone.', CONNECT, {
    key: 'The key by which events name it.',
    label: 'A short title.',
    description: 'A sentence about it.',
    actionPath: 'The path on the page to which the milestone leads. It starts with `/`.',
  }),
  nameSchema(
    'ChecklistList',
    checklistListSchema,
    'All checklists.',
    { schemaVersion, checklists: [LISTED] },
    { schemaVersion: VERSION, checklists: 'The checklists, in the order of their creation.' },
  ),
  nameSchema(
    'ChecklistSummary',
    checklistListSchema.shape.checklists.element,
    'A checklist as lists show it.',
    LISTED,
    {
      revision: 'The current revision.',
      allowedOrigins: CONFIGURATION_MEMBERS.allowedOrigins,
    },
  ),
  nameSchema(
    'EventOutcome',
    eventAnswerSchema,
    'The outcome of an event. A repeat with the same key and body gets the same answer.',
    {
      eventId: EXAMPLES.eventId,
      outcome: 'completed',
      completedSteps: 1,
      totalSteps: 2,
      complete: false,
      receivedAt: later,
    },
    {
      eventId: 'The event.',
      outcome: '`already_completed` if another event had completed the milestone.',
      ...COUNT_MEMBERS,
      receivedAt: 'The time of the event, in UTC.',
    },
  ),
  nameSchema(
    'ProgressSession',
    progressSessionAnswerSchema,
    'The right of one page to read the progress of one subject. Give it to that user only.',
    {
      schemaVersion,
      token: exampleSecret('progress'),
      expiresAt: '2026-09-07T10:20:00.000Z',
      progressUrl: 'https://ingest.example.com/v1/activate/progress',
    },
    {
      schemaVersion: VERSION,
      token: 'The secret, for `Authorization: Bearer`.',
      progressUrl: 'The address at which the page reads the progress.',
    },
  ),
  nameSchema(
    'Progress',
    progressSchema,
    'The progress of one subject. It has no name or id of the subject.',
    {
      schemaVersion,
      name: 'Getting started',
      revision: 1,
      steps: [
        { ...CONNECT, completed: true },
        { ...INVITE, completed: false },
      ],
      completedSteps: 1,
      totalSteps: 2,
      complete: false,
    },
    {
      schemaVersion: VERSION,
      revision: 'The revision in which the subject is enrolled.',
      steps: 'The milestones.',
      ...COUNT_MEMBERS,
    },
  ),
  nameSchema(
    'ProgressStep',
    progressSchema.shape.steps.element,
    'A milestone with its state.',
    { ...CONNECT, completed: true },
    {
      key: 'The key by which events name it.',
      label: 'A short title.',
      description: 'A sentence about it.',
      actionPath: 'The path on the page to which the milestone leads. It starts with `/`.',
      completed: 'True if the subject has completed it.',
    },
  ),
  nameSchema('ChecklistCounts', summarySchema, 'Counts of one revision and cohort.', SUMMARY, {
    schemaVersion: VERSION,
    revision: 'The revision.',
    enrollments: 'Subjects with at least one accepted event, without erased ones.',
    complete: 'Subjects that have completed every step.',
    acceptedEvents: 'Accepted events.',
    steps: 'Completions by step.',
  }),
  nameSchema(
    'ChecklistStepCount',
    summarySchema.shape.steps.element,
    'Completions of one step.',
    { key: 'connect', completed: 9 },
    { key: 'The key of the step.', completed: 'Subjects that have completed it.' },
  ),
  nameSchema(
    'ChecklistProduct',
    activateProductSchema,
    'The state and the limits of onboarding checklists in a workspace.',
    {
      installationId: EXAMPLES.installationId,
      product: 'svcactivate',
      state: 'preview',
      plan: 'preview',
      limits: LIMITS,
    },
    { product: 'The product.' },
  ),
  nameSchema(
    'ChecklistLimits',
    activateProductSchema.shape.limits,
    'Limits of onboarding checklists.',
    LIMITS,
    {
      checklists: 'Checklists ever created.',
      enrollments: 'Subjects ever enrolled.',
      events: 'Accepted events: of the preview, or of the calendar month of a claimed workspace.',
    },
  ),
  nameSchema('ChecklistHistory', checklistHistorySchema, 'A checklist with its revisions.', HISTORY, {
    revisions: 'The revisions, oldest first.',
  }),
  nameSchema(
    'ChecklistRevision',
    checklistHistorySchema.shape.revisions.element,
    'A revision of a checklist.',
    REVISION,
    { revision: 'Its number, from 1.' },
  ),
  nameSchema(
    'ChecklistExport',
    checklistExportSchema,
    'The configuration and the counts of a checklist. It has no data of subjects.',
    CHECKLIST_EXPORT,
    { configuration: 'The checklist with its revisions.', aggregates: 'Counts by revision and cohort.' },
  ),
  nameSchema(
    'SubjectErasure',
    subjectErasureSchema,
    'The outcome of an erasure.',
    { erased: true, erasedAt: later },
    {
      erased: 'False if there was nothing of this subject.',
      erasedAt: 'The time of the erasure, in UTC; null if there was nothing.',
    },
  ),
  nameSchema(
    'SubjectCohort',
    subjectCohortSchema,
    '`test` for synthetic subjects, `live` for real ones.',
    'test',
  ),
];

export const activateSchemas = [...requests, ...answers];
