import {
  consoleWorkspaceSchema,
  workspaceChangeRequestSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** POST `…/pause`: stops all requests that bring data in or hand it out (infra/docs/reference/workspaces.md#states). */
export const pauseWorkspaceRoute = changeRoute('pause', 'Pause a claimed workspace');

/** POST `…/resume`: ends a pause. */
export const resumeWorkspaceRoute = changeRoute('resume', 'Resume a paused workspace');

function changeRoute(change: 'pause' | 'resume', summary: string) {
  return workspaceOwner.post(`/${change}`, {
    name: `${change}Workspace`,
    summary,
    params: workspaceParamsSchema,
    body: json(workspaceChangeRequestSchema),
    success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace as it is now' },
    errors: ['state_conflict', 'expired', 'workspace_disconnected'],
    async handle({ workspace, services, submit }) {
      const { installationId } = workspace;
      await submit({ topic: 'workspaces', key: installationId, type: change, input: {} });
      return { body: await consoleWorkspaceAnswer(services, installationId) };
    },
  });
}
