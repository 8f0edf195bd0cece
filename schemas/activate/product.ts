import { z } from 'zod';
import { limit } from '../base/limit.ts';
import { MINUTE_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { planQuota } from '../workspaces/product-quotas.ts';
import { activateCommands } from './commands.ts';
import { STEPS_MAX } from './configuration.ts';
import { activateCredentials } from './credentials.ts';
import { activateRootSchema, activateRowSchemas, EMPTY_ACTIVATE_ROOT } from './documents.ts';
import { activateProductSchema, CHECKLIST_SCHEMA_VERSION } from './http.ts';

/** Onboarding checklists. */
export const activateProduct = defineProduct({
  name: 'svcactivate',
  optIn: true,
  title: 'onboarding checklists',
  contractVersion: CHECKLIST_SCHEMA_VERSION,
  topic: 'activate',
  partitions: 8,
  carries: 'lifecycle, checklist, milestone event, session, subject erasure, tidy, erase',
  commands: activateCommands,
  root: { schema: activateRootSchema, empty: EMPTY_ACTIVATE_ROOT },
  rows: activateRowSchemas,
  works: {},
  credentials: activateCredentials,
  limits: {
    group: 'checklists',
    schema: z.strictObject({
      revisions: limit('revisions of one checklist', 20),
      sessionsPerSubject: limit('unexpired sessions of one subject; a further one ends the oldest', 5),
      sessionMs: limit('lifetime of a progress token', 15 * MINUTE_MS),
      alternateKeys: limit('remembered keys of a completed step, besides the one that completed it', 10, {
        least: 0,
      }),
    }),
  },
  planLimits: {
    checklists: planQuota(
      'checklists ever',
      { preview: 2, free: 5 },
      { at: 'plan.checklists', ever: 'checklistsMade', shownAs: 'checklists' },
    ),
    checklistEnrollments: planQuota(
      'enrollments ever',
      { preview: 25, free: 1_000 },
      { at: 'plan.enrollments', ever: 'enrollmentsMade', shownAs: 'enrollments' },
    ),
    checklistEvents: planQuota(
      'accepted events; on Free in a calendar month (UTC)',
      { preview: 200, free: 2_000 },
      {
        at: 'plan.acceptedEvents',
        ever: 'eventsAccepted',
        inMonth: 'eventsInMonth',
        shownAs: 'events',
        isActivity: true,
      },
    ),
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
    checklists: { member: 'checklistsMade', example: 0 },
    enrollments: { member: 'enrollmentsMade', description: 'Subjects with an accepted event.', example: 0 },
  },
  verifiedResult: { kind: 'checklist', text: 'an accepted milestone event' },
  transient: {
    commands: ['issue-session', 'revise-checklist', 'erase-subject'],
    lifeMs: ({ sessionMs }) => sessionMs,
  },
});
