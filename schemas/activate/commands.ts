import { z } from 'zod';
import { carriedResultSchema } from '../base/carried.ts';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleCommands } from '../workspaces/lifecycle.ts';
import { checklistConfigurationSchema, stepKeySchema } from './configuration.ts';
import { subjectCohortSchema } from './documents.ts';

const checklistId = idSchema('checklist');

/**
 * One subject of one checklist and cohort. `enrollment` derives from the three with a secret of the service, so the
 * customer's digest of the subject is in no topic and no table.
 */
const subjectFields = { checklistId, cohort: subjectCohortSchema, enrollment: idSchema('enrollment') };

const eventFields = {
  eventKey: stepKeySchema,
  /** The event's id, unless its key is remembered with another one. */
  eventId: idSchema('event'),
};

/** The number of events that one request and one record have. */
export const EVENTS_IN_BATCH_MAX = 500;

/** The result of configuring a checklist. */
const configured = z.strictObject({ checklistId, revision: z.int().positive(), createdAt: epochMsSchema });

/** Commands of the topic `activate`; the key is the installation. */
export const activateCommands = {
  ...lifecycleCommands,
  'create-checklist': {
    input: z.strictObject({ checklistId, configuration: checklistConfigurationSchema }),
    result: configured,
  },
  /** The next revision of a checklist. */
  'revise-checklist': {
    input: z.strictObject({
      checklistId,
      expectedRevision: z.int().positive(),
      configuration: checklistConfigurationSchema,
    }),
    result: configured,
  },
  /** A milestone of a subject, as the customer's backend reports it. */
  'record-event': {
    input: z.strictObject({ ...subjectFields, ...eventFields }),
    result: z.strictObject({
      eventId: idSchema('event'),
      outcome: z.enum(['completed', 'already_completed']),
      completedSteps: z.int().nonnegative(),
      totalSteps: z.int().positive(),
      receivedAt: epochMsSchema,
    }),
  },
  /** Milestones of one checklist that travel together. */
  'record-events': {
    input: z.strictObject({
      checklistId,
      events: z
        .array(
          z.strictObject({
            /** The key and the digest that the event would have in an envelope. */
            key: z.string().min(1).max(300),
            inputDigest: sha256Schema,
            cohort: subjectCohortSchema,
            enrollment: idSchema('enrollment'),
            ...eventFields,
          }),
        )
        .min(1)
        .max(EVENTS_IN_BATCH_MAX),
    }),
    result: carriedResultSchema,
    carries: 'record-event',
  },
  'issue-session': {
    input: z.strictObject({
      ...subjectFields,
      origin: originSchema,
      /** SHA-256 of the token. */
      digest: sha256Schema,
    }),
    result: z.strictObject({ digest: sha256Schema, expiresAt: epochMsSchema }),
    decidesRepeats: true,
  },
  'erase-subject': {
    input: z.strictObject(subjectFields),
    result: z.strictObject({ erased: z.boolean(), erasedAt: epochMsSchema.nullable() }),
  },
  /** From the sweeper: sessions of this subject may have ended. */
  'tidy-sessions': { input: z.strictObject({ enrollment: idSchema('enrollment') }), result: noResult },
} as const satisfies CommandTable;
