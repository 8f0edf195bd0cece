import {
  consoleWorkspaceSchema,
  workspaceChangeRequestSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../http/route.ts';
import { pathWorkspace } from '../imports/console-workspace.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** POST `…/pause`: stops all requests that bring data in or hand it out (infra/docs/reference/workspaces.md#states). */
export const pauseWorkspaceRoute = changeRoute('pause', 'Pause a claimed workspace');

/** POST `…/resume`: ends a pause. */
export const resumeWorkspaceRoute = changeRoute('resume', 'Resume a paused workspace');

function changeRoute(change: 'pause' | 'resume', summary: string) {
  return defineRoute({
    name: `${change}Workspace`,
    summary,
    method: 'POST',
    path: `/v1/console/workspaces/:workspaceId/${change}`,
    host: 'console',
    principal: 'console',
    roles: OWNER_OR_ADMIN,
    whenPaused: 'allowed',
    rate: 'management',
    params: workspaceParamsSchema,
    body: { kind: 'json', schema: workspaceChangeRequestSchema, limit: 'jsonBytes' },
    success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace as it is now' },
    errors: ['forbidden', 'state_conflict', 'expired', 'workspace_disconnected'],
    noStore: true,
    async handle({ workspace, services, submit }) {
      const { installationId } = pathWorkspace({ workspace });
      await submit({ topic: 'workspaces', key: installationId, type: change, input: {} });
      return { body: await consoleWorkspaceAnswer(services, installationId) };
    },
  });
}
