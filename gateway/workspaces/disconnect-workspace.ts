import {
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../http/route.ts';
import { pathWorkspace } from '../imports/console-workspace.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';
import { requireName } from './confirm-name.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** POST `…/disconnect`: ends collection for good. The content stays until the workspace is erased. */
export const disconnectWorkspaceRoute = defineRoute({
  name: 'disconnectWorkspace',
  summary: 'End collection and the access of agents for good',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/disconnect',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'json', schema: confirmedChangeRequestSchema, limit: 'jsonBytes' },
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace, disconnected' },
  errors: ['forbidden', 'erased'],
  noStore: true,
  async handle({ workspace, body, services, submit }) {
    const view = pathWorkspace({ workspace });
    requireName(view, body);
    const { installationId } = view;
    await submit({ topic: 'workspaces', key: installationId, type: 'disconnect', input: {} });
    return { body: await consoleWorkspaceAnswer(services, installationId) };
  },
});
