import { isoTime } from '../../../schemas/base/time.ts';
import {
  FEEDBACK_SCHEMA_VERSION,
  installationSubmissionParamsSchema,
  movedSubmissionSchema,
  moveSubmissionRequestSchema,
  submissionListSchema,
  submissionsQuerySchema,
  verifiedSubmissionSchema,
  verifySubmissionRequestSchema,
  workspaceSubmissionParamsSchema,
  workspaceWidgetParamsSchema,
} from '../../../schemas/feedback/http.ts';
import { json } from '../../http/audience.ts';
import { notFound } from '../../http/checks.ts';
import { feedbackAgent, feedbackOwner } from '../audiences.ts';
import { readFeedbackRow } from '../feedback-reading.ts';
import { readInbox } from '../inbox.ts';

/** POST `…/submissions/{submissionId}/verify`: whether a submission has arrived. The answer has none of its content. */
export const verifySubmissionRoute = feedbackAgent.post(
  '/widgets/:widgetId/submissions/:submissionId/verify',
  {
    name: 'verifySubmission',
    summary: 'Verify that a submission has arrived',
    params: installationSubmissionParamsSchema,
    body: json(verifySubmissionRequestSchema),
    success: { status: 200, schema: verifiedSubmissionSchema, description: 'It has arrived' },
    async handle({ params, submit }) {
      const { installationId, widgetId, submissionId } = params;
      const input = { widgetId, submissionId };
      const command = { topic: 'feedback', key: installationId, type: 'verify-submission' } as const;
      const { receivedAt } = await submit({ ...command, input });
      const schemaVersion = FEEDBACK_SCHEMA_VERSION;
      return {
        body: { schemaVersion, widgetId, submissionId, received: true, receivedAt: isoTime(receivedAt) },
      };
    },
  },
);

/** GET `…/widgets/{widgetId}/submissions`: the inbox of a widget, newest first. */
export const listSubmissionsRoute = feedbackOwner.get('/widgets/:widgetId/submissions', {
  name: 'listSubmissions',
  summary: 'Read the inbox of a feedback widget',
  whenEnded: 'allowed',
  params: workspaceWidgetParamsSchema,
  query: submissionsQuerySchema,
  success: { status: 200, schema: submissionListSchema, description: 'One page of submissions' },
  recordsRead: { action: 'feedback.read' },
  async handle({ workspace, params: { widgetId }, query, services }) {
    const { installationId } = workspace;
    const widget = await readFeedbackRow(services.store, installationId, 'widget', widgetId);
    if (widget === null) throw notFound();
    return { body: await readInbox(services, workspace, { ...query, widgetId }) };
  },
});

/** PATCH `…/submissions/{submissionId}`: moves a submission to another place of the inbox. */
export const moveSubmissionRoute = feedbackOwner.patch('/widgets/:widgetId/submissions/:submissionId', {
  name: 'moveSubmission',
  summary: 'Mark a submission as open, done or held',
  params: workspaceSubmissionParamsSchema,
  body: json(moveSubmissionRequestSchema),
  success: { status: 200, schema: movedSubmissionSchema, description: 'The submission in its new state' },
  errors: ['erased', 'state_conflict'],
  async handle({ workspace, params: { widgetId, submissionId }, body, submit }) {
    const input = { widgetId, submissionId, ...body };
    const command = { topic: 'feedback', key: workspace.installationId, type: 'move-submission' } as const;
    const moved = await submit({ ...command, input });
    return { body: { submissionId, receivedAt: isoTime(moved.receivedAt), state: moved.state } };
  },
});

/** DELETE `…/submissions/{submissionId}`: erases a submission. */
export const removeSubmissionRoute = feedbackOwner.delete('/widgets/:widgetId/submissions/:submissionId', {
  name: 'removeSubmission',
  summary: 'Erase a submission',
  whenEnded: 'allowed',
  params: workspaceSubmissionParamsSchema,
  success: { status: 204, description: 'It is erased' },
  errors: ['erased'],
  async handle({ workspace, params: { widgetId, submissionId }, submit }) {
    const input = { widgetId, submissionId };
    await submit({ topic: 'feedback', key: workspace.installationId, type: 'remove-submission', input });
    return {};
  },
});
