import { z } from 'zod';
import type { CommandOf, CommandSchemas } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';
import { checklistConfigurationSchema, stepKeySchema } from './configuration.ts';
import { subjectCohortSchema } from './documents.ts';

const checklistId = idSchema('checklist');

/**
 * One subject of one checklist and cohort. `enrollment` is derived from the three with a secret of the service, so the
 * digest by which the customer knows the subject enters no topic and no table.
 */
const subjectFields = { checklistId, cohort: subjectCohortSchema, enrollment: idSchema('enrollment') };

/** Commands of the topic `activate`; the key is the installation. */
export const activateCommands = {
  /** From the workspace: what it is now (design rule 7). */
  lifecycle: lifecycleSchema,
  'erase-rows': eraseRowsSchema,
  'create-checklist': z.strictObject({ checklistId, configuration: checklistConfigurationSchema }),
  /** The next revision of a checklist. */
  'revise-checklist': z.strictObject({
    checklistId,
    expectedRevision: z.int().positive(),
    configuration: checklistConfigurationSchema,
  }),
  /** A milestone of a subject, as the customer's backend reports it. */
  'record-event': z.strictObject({
    ...subjectFields,
    eventKey: stepKeySchema,
    /** What the event will be called, unless its key is one that is remembered. */
    eventId: idSchema('event'),
  }),
  'issue-session': z.strictObject({
    ...subjectFields,
    origin: originSchema,
    /** SHA-256 of the token. */
    digest: sha256Schema,
  }),
  'erase-subject': z.strictObject(subjectFields),
  /** From the sweeper: sessions of this subject seem to have ended. */
  'tidy-sessions': z.strictObject({ enrollment: idSchema('enrollment') }),
} as const satisfies CommandSchemas;

export type ActivateCommand = CommandOf<typeof activateCommands>;

/** The command of one type. */
export type ActivateCommandOf<Type extends ActivateCommand['type']> = Extract<
  ActivateCommand,
  { type: Type }
>;
