import { z } from 'zod';
import { MINUTE_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { activateCommands } from './commands.ts';
import { STEPS_MAX } from './configuration.ts';
import { activateRootSchema, EMPTY_ACTIVATE_ROOT } from './documents.ts';
import { activateProductSchema, CHECKLIST_SCHEMA_VERSION } from './http.ts';

const count = z.int().nonnegative();
const positive = z.int().positive();

/** Onboarding checklists. */
export const activateProduct = defineProduct({
  name: 'svcactivate',
  title: 'onboarding checklists',
  contractVersion: CHECKLIST_SCHEMA_VERSION,
  topic: 'activate',
  partitions: 8,
  carries: 'lifecycle, checklist, milestone event, session, subject erasure, tidy, erase',
  commands: activateCommands,
  root: { schema: activateRootSchema, empty: EMPTY_ACTIVATE_ROOT },
  limits: {
    group: 'checklists',
    schema: z.strictObject({
      revisions: positive,
      /** Sessions of one subject that have not ended; a further one ends the oldest. */
      sessionsPerSubject: positive,
      sessionMs: positive,
      /** Keys that are remembered for a completed milestone besides the one that completed it. */
      alternateKeys: count,
    }),
    defaults: { revisions: 20, sessionsPerSubject: 5, sessionMs: 15 * MINUTE_MS, alternateKeys: 10 },
  },
  planLimits: {
    schema: z.strictObject({
      checklists: count,
      checklistEnrollments: count,
      /** Accepted milestone events: lifetime in a preview; a UTC month on Free. */
      checklistEvents: count,
    }),
    defaults: {
      preview: { checklists: 2, checklistEnrollments: 25, checklistEvents: 200 },
      free: { checklists: 5, checklistEnrollments: 1_000, checklistEvents: 2_000 },
    },
  },
  shownLimits: ({ revisions, alternateKeys, sessionsPerSubject, sessionMs }) => ({
    steps: STEPS_MAX,
    revisionsPerChecklist: revisions,
    alternateKeysPerMilestone: alternateKeys,
    sessionsPerSubject,
    sessionMinutes: sessionMs / MINUTE_MS,
  }),
  usedLimits: activateProductSchema.shape.limits,
  counters: {
    checklists: { member: 'checklistsMade', description: 'Checklists.', example: 0 },
    enrollments: { member: 'enrollmentsMade', description: 'Subjects with an accepted event.', example: 0 },
  },
  verifiedResult: 'checklist',
  passing: { commands: ['issue-session', 'revise-checklist'], lifeMs: ({ sessionMs }) => sessionMs },
});
