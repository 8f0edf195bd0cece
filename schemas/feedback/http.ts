import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { pageOriginSchema } from '../base/origin.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { MESSAGE_CHARACTERS_MAX, messageSchema, pagePathSchema, ratingSchema } from './content.ts';
import { submissionStateSchema } from './documents.ts';

/** The version marker of every request and answer of agents and widgets here. */
export const FEEDBACK_SCHEMA_VERSION = '2026-08-27';

const count = z.int().nonnegative();
const widgetId = idSchema('widget');
const submissionId = idSchema('submission');
const schemaVersion = z.literal(FEEDBACK_SCHEMA_VERSION);

/** The used amounts of the plan's limits. */
export const feedbackLimitsSchema = z.strictObject({ widgets: quotaSchema, submissions: quotaSchema });

/** POST `/v1/installations/{installationId}/svcfeedback/widgets`. */
export const createWidgetRequestSchema = z.strictObject({
  schemaVersion,
  idempotencyKey: idempotencyKeySchema,
  /** The one origin whose pages may send feedback. */
  origin: pageOriginSchema,
});

export const widgetAnswerSchema = z.strictObject({
  schemaVersion,
  widgetId,
  origin: z.string(),
  loaderUrl: z.url(),
  /** The tag for the page. */
  snippet: z.string(),
  createdAt: isoTimeSchema,
});

/** POST `/v1/feedback/{widgetId}/submissions`. */
export const submissionRequestSchema = z.strictObject({
  schemaVersion,
  /** Made by the widget, so that a repeat is stored once. */
  submissionId,
  message: messageSchema,
  rating: ratingSchema.optional(),
  path: pagePathSchema.optional(),
  /** A field that people do not see: only programs fill it in. */
  website: textSchema({ max: MESSAGE_CHARACTERS_MAX }),
  /** The time from opening the dialog to sending. */
  elapsedMs: count,
});

export const submissionReceiptSchema = z.strictObject({ submissionId, receivedAt: isoTimeSchema });

/** POST `…/submissions/{submissionId}/verify`. */
export const verifySubmissionRequestSchema = z.strictObject({ schemaVersion });

export const verifiedSubmissionSchema = z.strictObject({
  schemaVersion,
  widgetId,
  submissionId,
  received: z.literal(true),
  receivedAt: isoTimeSchema,
});

/** Path and query parameters. */
export const feedbackInstallationParamsSchema = z.strictObject({ installationId: idSchema('installation') });
export const installationSubmissionParamsSchema = feedbackInstallationParamsSchema.extend({
  widgetId,
  submissionId,
});
export const widgetParamsSchema = z.strictObject({ widgetId });
export const feedbackWorkspaceParamsSchema = z.strictObject({ workspaceId: idSchema('workspace') });
export const workspaceWidgetParamsSchema = feedbackWorkspaceParamsSchema.extend({ widgetId });
export const workspaceSubmissionParamsSchema = workspaceWidgetParamsSchema.extend({ submissionId });

/** A position: the time of a submission and its id. */
const CURSOR = /^[0-9]{15}\/sub_[a-z2-7]{24}$/;

export const submissionsQuerySchema = z.strictObject({
  state: submissionStateSchema.optional(),
  cursor: z.string().regex(CURSOR, 'expected the nextCursor of another page').optional(),
  limit: pageLimitSchema,
});

/** The submission of a widget that was verified last. */
export const verifiedArrivalSchema = z.strictObject({ submissionId, receivedAt: isoTimeSchema });

/** GET `/v1/console/workspaces/{workspaceId}/widgets`. */
export const widgetListSchema = z.strictObject({
  /** In the order in which they were made. */
  widgets: z.array(
    z.strictObject({
      widgetId,
      origin: z.string(),
      /** True while a browser check of the workspace has a proof of the origin. */
      originProved: z.boolean(),
      loaderUrl: z.url(),
      snippet: z.string(),
      createdAt: isoTimeSchema,
      counts: z.strictObject({ open: count, done: count, held: count }),
      /** Null before the first. */
      verified: verifiedArrivalSchema.nullable(),
    }),
  ),
});

/** GET `…/widgets/{widgetId}/submissions`: newest first. */
export const submissionListSchema = z.strictObject({
  submissions: z.array(
    z.strictObject({
      submissionId,
      message: z.string(),
      rating: ratingSchema.nullable(),
      path: z.string().nullable(),
      receivedAt: isoTimeSchema,
      state: submissionStateSchema,
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** PATCH `…/submissions/{submissionId}`. */
export const moveSubmissionRequestSchema = z.strictObject({
  state: submissionStateSchema,
  /** The state in which the caller saw it, so that a change of another person is not overwritten; absent: any. */
  from: submissionStateSchema.optional(),
});

export const movedSubmissionSchema = z.strictObject({
  submissionId,
  receivedAt: isoTimeSchema,
  state: submissionStateSchema,
});
