import { isoTime } from '../../../schemas/base/time.ts';
import {
  FEEDBACK_SCHEMA_VERSION,
  movedSubmissionSchema,
  moveSubmissionRequestSchema,
  submissionListSchema,
  submissionsQuerySchema,
  verifiedSubmissionSchema,
  verifySubmissionRequestSchema,
} from '../../../schemas/feedback/http.ts';
import { notFound } from '../../http/guards.ts';
import { json } from '../../http/routing/audience.ts';
import { feedbackAgent, feedbackOwner } from '../audiences.ts';
import { feedbackReader } from '../feedback-reading.ts';
import { readInbox } from '../inbox.ts';

export const verifySubmissionRoute = feedbackAgent.post(
  '/widgets/:widgetId/submissions/:submissionId/verify',
  {
    name: 'verifySubmission',
    summary: 'Verify that a submission has arrived',
    description:
      'Tells whether a submission has arrived. A verified submission is a result that a claim can rest on. A submission that is held or unknown is not found.',
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

export const listSubmissionsRoute = feedbackOwner.get('/widgets/:widgetId/submissions', {
  name: 'listSubmissions',
  summary: 'Read the inbox of a feedback widget',
  description:
    'Returns one page of the submissions of a widget, newest first. The audit log records the read.',
  whenEnded: 'allowed',
  query: submissionsQuerySchema,
  success: { status: 200, schema: submissionListSchema, description: 'One page of submissions' },
  recordsRead: { action: 'feedback.read' },
  async handle({ workspace, params: { widgetId }, query, services }) {
    const { installationId } = workspace;
    const { found, unreadable } = await feedbackReader.rows(services.store, installationId, 'widget', [
      widgetId,
    ]);
    if (found.length + unreadable.length === 0) throw notFound();
    const inbox = await readInbox(services, workspace, { ...query, widgetId });
    return { ...inbox, unreadable: [...unreadable, ...inbox.unreadable] };
  },
});

export const moveSubmissionRoute = feedbackOwner.patch('/widgets/:widgetId/submissions/:submissionId', {
  name: 'moveSubmission',
  summary: 'Mark a submission as open, done or held',
  description: 'Moves a submission to another place of the inbox.',
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

export const removeSubmissionRoute = feedbackOwner.delete('/widgets/:widgetId/submissions/:submissionId', {
  name: 'removeSubmission',
  summary: 'Erase a submission',
  description: 'Erases a submission with its content. Limits do not get back what was used.',
  whenEnded: 'allowed',
  success: { status: 204, description: 'It is erased' },
  errors: ['erased'],
  async handle({ workspace, params: { widgetId, submissionId }, submit }) {
    const input = { widgetId, submissionId };
    await submit({ topic: 'feedback', key: workspace.installationId, type: 'remove-submission', input });
    return {};
  },
});
