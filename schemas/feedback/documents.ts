import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { hourlyCountsSchema } from '../base/hourly-counts.ts';
import { idSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { monthUseSchema } from '../base/quota.ts';
import { epochMsSchema } from '../base/time.ts';
import { lifecycleSchema } from '../workspaces/lifecycle.ts';

const count = z.int().nonnegative();

/**
 * The place of a submission in the inbox: to be read, read, or held because a program may have sent it. Only people move
 * submissions.
 */
export const submissionStateSchema = z.enum(['open', 'done', 'held']).meta({
  id: 'SubmissionState',
  description: '`open`: to be read. `done`: read. `held`: a program may have sent it.',
});
export type SubmissionState = z.infer<typeof submissionStateSchema>;

export const SUBMISSION_STATES = submissionStateSchema.options;

/** A verified submission: its id and the time of its arrival. */
const verifiedArrivalSchema = z.strictObject({ submissionId: idSchema('submission'), at: epochMsSchema });

/** Root document of the table `feedback`. The aggregate's id is the installation's. */
export const feedbackRootSchema = z.strictObject({
  /** The workspace's last lifecycle record (ARCHITECTURE.md, rule 7); null before the first. */
  lifecycle: lifecycleSchema.nullable(),
  /** Widgets and stored submissions ever, held ones included. Never refunded. */
  widgetsMade: count,
  submissionsMade: count,
  /** The widget that was made last, which a preview may replace; absent before the first, and in workspaces of older releases. */
  latestWidgetId: idSchema('widget').optional(),
  /** The submissions of the latest UTC month of a claimed workspace; null while it is a preview. */
  submissionsInMonth: monthUseSchema,
  /** Those of them that were held when they arrived. Workspaces of older releases begin at 0. */
  heldMade: count.default(0),
  heldInMonth: monthUseSchema.default(null),
  /** The latest verified submission, which a claim can rest on: its id and the time of its arrival. */
  lastVerified: verifiedArrivalSchema.nullable(),
  /** Stored submissions by hour; absent before the first one. */
  activity: hourlyCountsSchema.optional(),
});

export type FeedbackRoot = z.infer<typeof feedbackRootSchema>;

/** The root before anything was folded. */
export const EMPTY_FEEDBACK_ROOT: FeedbackRoot = {
  lifecycle: null,
  widgetsMade: 0,
  submissionsMade: 0,
  submissionsInMonth: null,
  heldMade: 0,
  heldInMonth: null,
  lastVerified: null,
};

/** Row kind `widget`, id: the widget's. */
export const widgetDocumentSchema = z.strictObject({
  origin: originSchema,
  createdAt: epochMsSchema,
  /** The stored submissions by state. */
  counts: z.strictObject({ open: count, done: count, held: count }),
  /** The submission that was verified last, and the time of its arrival; absent before the first. */
  verified: verifiedArrivalSchema.optional(),
});

export type WidgetDocument = z.infer<typeof widgetDocumentSchema>;

/** The random name of a blob: 32 hexadecimal digits. */
export const contentNameSchema = z.string().regex(/^[0-9a-f]{32}$/);

/** Row kind `submission`, id: {@link submissionRowId}. Message, rating and path are in a blob. */
export const submissionDocumentSchema = z.strictObject({
  state: submissionStateSchema,
  receivedAt: epochMsSchema,
  /** The end of its retention; while the workspace is a preview, the preview's end bounds it. */
  retainedUntil: epochMsSchema,
  blob: contentNameSchema,
  /** A keyed digest of the content, which tells a repeat from another message with the same id. */
  digest: sha256Schema,
});

export type SubmissionDocument = z.infer<typeof submissionDocumentSchema>;

/** Row kind `inbox`, id: {@link inboxRowId}. Puts the submissions of a widget and a state in order. */
export const inboxDocumentSchema = z.strictObject({ submissionId: idSchema('submission') });

export const feedbackRowSchemas = {
  widget: widgetDocumentSchema,
  submission: submissionDocumentSchema,
  inbox: inboxDocumentSchema,
} as const;

export type FeedbackRows = {
  [Kind in keyof typeof feedbackRowSchemas]: z.infer<(typeof feedbackRowSchemas)[Kind]>;
};

export function submissionRowId(widgetId: string, submissionId: string): string {
  return `${widgetId}/${submissionId}`;
}

/** Digits of a time in a row id: ids sort by their bytes, so times have one width. */
const TIME_DIGITS = 15;

/** The position of a submission in every list: by its time, then by its id. */
export function inboxPosition(receivedAt: number, submissionId: string): string {
  return `${String(receivedAt).padStart(TIME_DIGITS, '0')}/${submissionId}`;
}

/** The prefix of the ids of one widget's submissions in one state. */
export function inboxPrefix(widgetId: string, state: SubmissionState): string {
  return `${widgetId}/${state}/`;
}

export function inboxRowId(
  widgetId: string,
  submissionId: string,
  { state, receivedAt }: Pick<SubmissionDocument, 'state' | 'receivedAt'>,
): string {
  return `${inboxPrefix(widgetId, state)}${inboxPosition(receivedAt, submissionId)}`;
}

/** Target of an index entry of kind `feedback-widget`. */
export const widgetTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  widgetId: idSchema('widget'),
});
