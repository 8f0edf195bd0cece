import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { exampleId, idSchema } from '../base/ids.ts';
import { pageOriginSchema } from '../base/origin.ts';
import { cursorSchema, nextCursorSchema, pageLimitSchema } from '../base/paging.ts';
import { quotaSchema } from '../base/quota.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { MESSAGE_CHARACTERS_MAX, messageSchema, pagePathSchema, ratingSchema } from './content.ts';
import { submissionStateSchema } from './documents.ts';

/** The version marker of every request and answer of agents and widgets here. */
export const FEEDBACK_SCHEMA_VERSION = '2026-08-27';

const count = z.int().nonnegative();
const widgetId = idSchema('widget');
const submissionId = idSchema('submission');
const schemaVersion = z.literal(FEEDBACK_SCHEMA_VERSION).describe('The version of this contract.');

const origin = z.string().meta({
  description: 'The origin whose pages may send feedback.',
  example: 'https://app.example.com',
});
const receivedAt = isoTimeSchema.describe('The time of its arrival.');
const MESSAGE = 'The map is quick. I could not find how to mute one station.';
const PATH = '/map';

/** The used amounts of the plan's limits. */
export const feedbackLimitsSchema = z
  .strictObject({
    widgets: quotaSchema.describe('Widgets ever.'),
    submissions: quotaSchema.describe(
      'Stored submissions: of the whole preview; on Free of the calendar month (UTC).',
    ),
  })
  .meta({ id: 'FeedbackLimits', description: "The feedback limits of the workspace's plan." });

export const createWidgetRequestSchema = z
  .strictObject({
    schemaVersion,
    idempotencyKey: idempotencyKeySchema,
    origin: pageOriginSchema.describe('The exact HTTPS origin of the pages. It need not be proved.'),
  })
  .meta({ id: 'CreateWidgetRequest', description: 'A feedback widget to be created.' });

const widgetFields = {
  widgetId,
  origin,
  loaderUrl: z.url().meta({
    description: 'The address of the script for the page.',
    get example() {
      return `https://ingest.example.com/v1/feedback/${exampleId('widget')}/loader.v1.js`;
    },
  }),
  snippet: z.string().meta({
    description: 'The tag for the page.',
    get example() {
      return `<script async src="https://ingest.example.com/v1/feedback/${exampleId('widget')}/loader.v1.js"></script>`;
    },
  }),
  createdAt: isoTimeSchema,
};

export const widgetAnswerSchema = z.strictObject({ schemaVersion, ...widgetFields });

export const createdWidgetAnswerSchema = widgetAnswerSchema
  .extend({
    replacedOrigin: z
      .string()
      .optional()
      .describe(
        'The origin of the former widget of the preview, if this one has replaced it. Its id is unknown now.',
      ),
  })
  .meta({ id: 'Widget', description: 'A feedback widget.' });

export const submissionRequestSchema = z
  .strictObject({
    schemaVersion,
    submissionId: submissionId.describe(
      'Made by the page: `sub_` and 24 random base32 characters. A repeat with the same id is stored once.',
    ),
    message: messageSchema.meta({
      description:
        'What the visitor writes. Control characters and characters that change the direction of text are removed.',
      example: MESSAGE,
    }),
    rating: ratingSchema.optional().meta({ description: 'From 1 (badly) to 5 (very well).', example: 4 }),
    path: pagePathSchema
      .optional()
      .meta({ description: 'The path of the page. Query and fragment are not stored.', example: PATH }),
    website: textSchema({ max: MESSAGE_CHARACTERS_MAX }).meta({
      description: 'A field that people do not see. If it is filled in, the submission is held.',
      example: '',
    }),
    elapsedMs: count.meta({
      description:
        'The time from opening the form to sending, in milliseconds. Below 2,000 the submission is held.',
      example: 21_000,
    }),
  })
  .meta({ id: 'SubmissionRequest', description: 'Feedback of a visitor.' });

export const submissionReceiptSchema = z
  .strictObject({ submissionId, receivedAt })
  .meta({ id: 'SubmissionReceipt', description: 'The submission is stored durably.' });

export const verifySubmissionRequestSchema = z
  .strictObject({ schemaVersion })
  .meta({ id: 'VerifySubmissionRequest', description: 'Asks for nothing but the arrival.' });

export const verifiedSubmissionSchema = z
  .strictObject({
    schemaVersion,
    widgetId,
    submissionId,
    received: z.literal(true).describe('Always true: a missing submission gets 404.'),
    receivedAt,
  })
  .meta({
    id: 'VerifiedSubmission',
    description: 'The submission has arrived. The answer has none of its content.',
  });

/** Path and query parameters. */
/** A position: the time of a submission and its id. */
const CURSOR = /^[0-9]{15}\/sub_[a-z2-7]{24}$/;

export const submissionsQuerySchema = z.strictObject({
  state: submissionStateSchema.optional().describe('Only submissions in this state.'),
  cursor: cursorSchema(z.string().regex(CURSOR, 'expected the nextCursor of another page')),
  limit: pageLimitSchema,
});

/** The submission of a widget that was verified last. */
const verifiedArrivalSchema = z
  .strictObject({ submissionId, receivedAt })
  .meta({ id: 'VerifiedArrival', description: 'A submission that was verified.' });

const submissionCountsSchema = z
  .strictObject({
    open: count.describe('Not read yet.'),
    done: count.describe('Marked as read.'),
    held: count.describe('Held because a program may have sent them.'),
  })
  .meta({
    id: 'SubmissionCounts',
    description: 'The stored submissions of a widget by state.',
    example: { open: 2, done: 1, held: 0 },
  });

const listedWidgetSchema = z
  .strictObject({
    ...widgetFields,
    originProved: z.boolean().meta({
      description:
        'True while the workspace has a proof of the origin, from a browser check. Anyone can name an origin: without a proof, its pages may belong to another company.',
      example: true,
    }),
    counts: submissionCountsSchema,
    verified: verifiedArrivalSchema.nullable().describe('The submission that was verified last, or null.'),
  })
  .meta({ id: 'ListedWidget', description: 'A feedback widget with its counts.' });

export const widgetListSchema = z
  .strictObject({
    widgets: z.array(listedWidgetSchema).describe('In the order in which they were made.'),
    ...unreadableMember,
  })
  .meta({ id: 'WidgetList', description: 'The feedback widgets of a workspace.' });

const submissionSchema = z
  .strictObject({
    submissionId,
    message: z.string().meta({ description: 'What the visitor wrote.', example: MESSAGE }),
    rating: ratingSchema.nullable().meta({ description: 'From 1 to 5, or null.', example: 4 }),
    path: z.string().nullable().meta({ description: 'The path of the page, or null.', example: PATH }),
    receivedAt,
    state: submissionStateSchema,
  })
  .meta({ id: 'Submission', description: 'A submission with its content.' });

/** GET `…/widgets/{widgetId}/submissions`: newest first. */
export const submissionListSchema = z
  .strictObject({ submissions: z.array(submissionSchema), nextCursor: nextCursorSchema, ...unreadableMember })
  .meta({ id: 'SubmissionList', description: 'One page of an inbox, newest first.' });

export const moveSubmissionRequestSchema = z
  .strictObject({
    state: submissionStateSchema.meta({ example: 'done' }),
    from: submissionStateSchema
      .optional()
      .describe(
        'The state in which the caller saw the submission. If it has another one by now, nothing changes. Absent: any state.',
      ),
  })
  .meta({ id: 'MoveSubmissionRequest', description: 'The new place of a submission.' });

export const movedSubmissionSchema = z
  .strictObject({ submissionId, receivedAt, state: submissionStateSchema.meta({ example: 'done' }) })
  .meta({ id: 'MovedSubmission', description: 'A submission in its new state.' });
