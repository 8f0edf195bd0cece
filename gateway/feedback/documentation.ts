import { submissionStateSchema } from '../../schemas/feedback/documents.ts';
import {
  createWidgetRequestSchema,
  FEEDBACK_SCHEMA_VERSION,
  feedbackLimitsSchema,
  movedSubmissionSchema,
  moveSubmissionRequestSchema,
  submissionListSchema,
  submissionReceiptSchema,
  submissionRequestSchema,
  verifiedArrivalSchema,
  verifiedSubmissionSchema,
  verifySubmissionRequestSchema,
  widgetAnswerSchema,
  widgetListSchema,
} from '../../schemas/feedback/http.ts';
import { nameSchema, type ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { loaderScript, loaderUrl, snippetOf } from './loader.ts';

const { widgetId, submissionId, origin, at } = EXAMPLES;
const HOSTS = { ingest: 'https://ingest.example.com' };
const schemaVersion = FEEDBACK_SCHEMA_VERSION as typeof FEEDBACK_SCHEMA_VERSION;
const VERSION = 'The version of this contract.';
const QUOTA = { limit: 50, used: 3, remaining: 47, resetsAt: null };
const COUNTS = { open: 2, done: 1, held: 0 };
const VERIFIED = { submissionId, receivedAt: at };
const MESSAGE = 'The map is quick. I could not find how to mute one station.';
const SUBMISSION = {
  submissionId,
  message: MESSAGE,
  rating: 4,
  path: '/map',
  receivedAt: at,
  state: 'open' as const,
};
const WIDGET = {
  widgetId,
  origin,
  loaderUrl: loaderUrl(HOSTS, widgetId),
  snippet: snippetOf(HOSTS, widgetId),
  createdAt: at,
};
const LISTED = { ...WIDGET, originProved: true, counts: COUNTS, verified: VERIFIED };
const WIDGET_MEMBERS = {
  widgetId: 'The widget.',
  origin: 'The origin whose pages may send feedback.',
  loaderUrl: 'The address of the script for the page.',
  snippet: 'The tag for the page.',
};
const SUBMISSION_MEMBERS = {
  submissionId: 'The submission.',
  receivedAt: 'The time of its arrival, in UTC.',
};
const STATE = 'The place in the inbox.';

const requests = [
  nameSchema(
    'CreateWidgetRequest',
    createWidgetRequestSchema,
    'A feedback widget to be created.',
    { schemaVersion, idempotencyKey: 'widget-1', origin },
    { schemaVersion: VERSION, origin: 'The exact HTTPS origin of the pages. It need not be proved.' },
  ),
  nameSchema(
    'SubmissionRequest',
    submissionRequestSchema,
    'Feedback of a visitor.',
    {
      schemaVersion,
      submissionId,
      message: MESSAGE,
      rating: 4,
      path: '/map',
      website: '',
      elapsedMs: 21_000,
    },
    {
      schemaVersion: VERSION,
      submissionId:
        'Made by the page: `sub_` and 24 random base32 characters. A repeat with the same id is stored once.',
      message:
        'What the visitor writes. Control characters and characters that change the direction of text are removed.',
      rating: 'From 1 (badly) to 5 (very well).',
      path: 'The path of the page. Query and fragment are not stored.',
      website: 'A field that people do not see. If it is filled in, the submission is held.',
      elapsedMs:
        'The time from opening the form to sending, in milliseconds. Below 2,000 the submission is held.',
    },
  ),
  nameSchema(
    'VerifySubmissionRequest',
    verifySubmissionRequestSchema,
    'Asks for nothing but the arrival.',
    { schemaVersion },
    { schemaVersion: VERSION },
  ),
  nameSchema(
    'MoveSubmissionRequest',
    moveSubmissionRequestSchema,
    'The new place of a submission.',
    { state: 'done' },
    {
      state: STATE,
      from: 'The state in which the caller saw the submission. If it has another one by now, nothing changes. Absent: any state.',
    },
  ),
];

const answers = [
  nameSchema(
    'Widget',
    widgetAnswerSchema,
    'A feedback widget.',
    { schemaVersion, ...WIDGET },
    { schemaVersion: VERSION, ...WIDGET_MEMBERS },
  ),
  nameSchema(
    'SubmissionReceipt',
    submissionReceiptSchema,
    'The submission is stored durably.',
    { submissionId, receivedAt: at },
    SUBMISSION_MEMBERS,
  ),
  nameSchema(
    'VerifiedSubmission',
    verifiedSubmissionSchema,
    'The submission has arrived. The answer has none of its content.',
    { schemaVersion, widgetId, submissionId, received: true, receivedAt: at },
    {
      schemaVersion: VERSION,
      widgetId: 'The widget.',
      received: 'Always true: a missing submission gets 404.',
      ...SUBMISSION_MEMBERS,
    },
  ),
  nameSchema(
    'WidgetList',
    widgetListSchema,
    'The feedback widgets of a workspace.',
    { widgets: [LISTED] },
    { widgets: 'In the order in which they were made.' },
  ),
  nameSchema(
    'ListedWidget',
    widgetListSchema.shape.widgets.element,
    'A feedback widget with its counts.',
    LISTED,
    {
      ...WIDGET_MEMBERS,
      originProved:
        'True while the workspace has a proof of the origin, from a browser check. Anyone can name an origin: without a proof, its pages may belong to another company.',
      counts: 'The stored submissions by state.',
      verified: 'The submission that was verified last, or null.',
    },
  ),
  nameSchema(
    'VerifiedArrival',
    verifiedArrivalSchema,
    'A submission that was verified.',
    VERIFIED,
    SUBMISSION_MEMBERS,
  ),
  nameSchema(
    'SubmissionCounts',
    widgetListSchema.shape.widgets.element.shape.counts,
    'The stored submissions of a widget by state.',
    COUNTS,
    { open: 'To be read.', done: 'Read.', held: 'Held because a program may have sent them.' },
  ),
  nameSchema(
    'SubmissionList',
    submissionListSchema,
    'One page of an inbox, newest first.',
    { submissions: [SUBMISSION], nextCursor: null },
    { submissions: 'The submissions.' },
  ),
  nameSchema(
    'Submission',
    submissionListSchema.shape.submissions.element,
    'A submission with its content.',
    SUBMISSION,
    {
      ...SUBMISSION_MEMBERS,
      message: 'What the visitor wrote.',
      rating: 'From 1 to 5, or null.',
      path: 'The path of the page, or null.',
      state: STATE,
    },
  ),
  nameSchema(
    'MovedSubmission',
    movedSubmissionSchema,
    'A submission in its new state.',
    { submissionId, receivedAt: at, state: 'done' },
    { ...SUBMISSION_MEMBERS, state: STATE },
  ),
];

const parts = [
  nameSchema(
    'SubmissionState',
    submissionStateSchema,
    '`open`: to be read. `done`: read. `held`: a program may have sent it.',
    'open',
  ),
  nameSchema(
    'FeedbackLimits',
    feedbackLimitsSchema,
    "The feedback limits of the workspace's plan.",
    { widgets: { limit: 1, used: 1, remaining: 0, resetsAt: null }, submissions: QUOTA },
    {
      widgets: 'Widgets ever.',
      submissions: 'Stored submissions: of the whole preview; on Free of the calendar month (UTC).',
    },
  ),
];

/** The texts about the feedback widget in the OpenAPI document. */
export const feedbackDocumentation: ProductDocumentation = {
  tag: {
    name: 'Feedback widget',
    description:
      'A button and a dialog on the pages of one origin. What visitors write goes to the inbox of the organization. Every workspace has it.',
  },
  parameters: {
    installationId: { description: 'The installation of the workspace.', example: EXAMPLES.installationId },
    workspaceId: { description: 'The workspace, one of the organization.', example: EXAMPLES.workspaceId },
    widgetId: { description: 'The widget.', example: widgetId },
    submissionId: { description: 'The submission.', example: submissionId },
    state: { description: 'Only submissions in this state.', example: 'open' },
    cursor: {
      description: 'The `nextCursor` of the page before.',
      example: `001788775200000/${submissionId}`,
    },
    limit: { description: 'Submissions of a page.', example: 50 },
  },
  schemas: [...requests, ...answers, ...parts],
  operations: {
    createWidget: {
      description:
        'Creates a widget for the pages of one origin, and returns the tag for them. Put the tag into the page; nothing else is needed.',
    },
    verifySubmission: {
      description:
        'Tells whether a submission has arrived. A verified submission is a result that a claim can rest on. A submission that is held or unknown is not found.',
    },
    loadWidget: {
      description:
        'The script of the tag. It loads the script of the widget and starts it. While the workspace is paused, and after its end, it does nothing.',
      file: {
        example: loaderScript(HOSTS, widgetId, `${HOSTS.ingest}/downloads/svcfeedback-widget-v0.1.0.js`),
      },
    },
    submitFeedback: {
      description:
        'Stores feedback of a visitor. Only pages of the origin of the widget may call it. 202 means that it is stored durably.',
    },
    listInstallationWidgets: {
      description: 'Returns every widget with the number of its submissions, and no message.',
    },
    listWidgets: { description: 'Returns every widget of the workspace with the number of its submissions.' },
    listSubmissions: {
      description:
        'Returns one page of the submissions of a widget, newest first. The audit log records the read.',
    },
    moveSubmission: { description: 'Moves a submission to another place of the inbox.' },
    removeSubmission: {
      description: 'Erases a submission with its content. Limits do not get back what was used.',
    },
  },
};
