import { installationOf } from '../../schemas/base/ids.ts';
import { consoleWorkspaceSchema, workspaceParamsSchema } from '../../schemas/workspaces/http.ts';
import { workspaceMember } from '../audiences.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** GET `/v1/console/workspaces/{workspaceId}`: shows a workspace to its owner, also after its end. */
export const readWorkspaceRoute = workspaceMember.get('', {
  name: 'readWorkspace',
  summary: 'Read a workspace as its owner',
  params: workspaceParamsSchema,
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace and what is in it' },
  errors: ['not_found'],
  async handle({ params, services }) {
    return { body: await consoleWorkspaceAnswer(services, installationOf(params.workspaceId)) };
  },
});
