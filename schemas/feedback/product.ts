import { z } from 'zod';
import { limit } from '../base/limit.ts';
import { DAY_MS, SECOND_MS } from '../base/time.ts';
import { defineProduct } from '../workspaces/product.ts';
import { planQuota } from '../workspaces/product-quotas.ts';
import { feedbackCommands } from './commands.ts';
import { MESSAGE_CHARACTERS_MAX } from './content.ts';
import { feedbackCredentials } from './credentials.ts';
import { EMPTY_FEEDBACK_ROOT, feedbackRootSchema, feedbackRowSchemas } from './documents.ts';
import { FEEDBACK_SCHEMA_VERSION, feedbackLimitsSchema } from './http.ts';

/** The feedback widget. */
export const feedbackProduct = defineProduct({
  name: 'svcfeedback',
  optIn: false,
  title: 'feedback widget',
  contractVersion: FEEDBACK_SCHEMA_VERSION,
  topic: 'feedback',
  partitions: 4,
  carries: 'lifecycle, widget, submission, verify, move, tidy, erase',
  commands: feedbackCommands,
  root: { schema: feedbackRootSchema, empty: EMPTY_FEEDBACK_ROOT },
  rows: feedbackRowSchemas,
  works: {},
  credentials: feedbackCredentials,
  limits: {
    group: 'feedback',
    schema: z.strictObject({
      retentionMs: limit('retention of a submission', 90 * DAY_MS),
      thinkingMs: limit(
        'time from opening the dialog to sending; faster submissions are held',
        2 * SECOND_MS,
        {
          least: 0,
        },
      ),
    }),
  },
  planLimits: {
    feedbackWidgets: planQuota(
      'feedback widgets ever',
      { preview: 1, free: 5 },
      { at: 'plan.widgets', ever: 'widgetsMade', shownAs: 'widgets' },
    ),
    feedbackSubmissions: planQuota(
      'stored submissions, held ones included; on Free in a calendar month (UTC)',
      { preview: 50, free: 1_000 },
      {
        at: 'plan.submissions',
        ever: 'submissionsMade',
        inMonth: 'submissionsInMonth',
        shownAs: 'submissions',
        isActivity: true,
      },
    ),
    feedbackHeld: planQuota(
      'of them, held ones',
      { preview: 10, free: 200 },
      { at: 'plan.heldSubmissions', ever: 'heldMade', inMonth: 'heldInMonth' },
    ),
  },
  shownLimits: ({ retentionMs }) => ({
    messageCharacters: MESSAGE_CHARACTERS_MAX,
    retentionDays: retentionMs / DAY_MS,
  }),
  usedLimits: feedbackLimitsSchema,
  counters: {
    feedbackWidgets: { member: 'widgetsMade', example: 0 },
    feedbackSubmissions: {
      member: 'submissionsMade',
      example: 0,
    },
  },
  verifiedResult: { kind: 'feedback', text: 'a verified feedback submission' },
  transient: { commands: [], lifeMs: ({ retentionMs }) => retentionMs },
});
