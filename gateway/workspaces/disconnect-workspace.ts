import {
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { requireName } from './confirm-name.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** POST `…/disconnect`: ends collection for good. The content stays until the workspace is erased. */
export const disconnectWorkspaceRoute = workspaceOwner.post('/disconnect', {
  name: 'disconnectWorkspace',
  summary: 'End collection and the access of agents for good',
  whenEnded: 'allowed',
  params: workspaceParamsSchema,
  body: json(confirmedChangeRequestSchema),
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace, disconnected' },
  errors: ['erased'],
  async handle({ workspace, body, services, submit }) {
    const view = workspace;
    requireName(view, body);
    const { installationId } = view;
    await submit({ topic: 'workspaces', key: installationId, type: 'disconnect', input: {} });
    return { body: await consoleWorkspaceAnswer(services, installationId) };
  },
});
