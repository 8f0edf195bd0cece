import { installationOf } from '../../schemas/base/ids.ts';
import { consoleWorkspaceSchema, workspaceParamsSchema } from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../http/route.ts';
import { EVERY_MEMBER } from '../people/roles.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/** GET `/v1/console/workspaces/{workspaceId}`: shows a workspace to its owner, also after its end. */
export const readWorkspaceRoute = defineRoute({
  name: 'readWorkspace',
  summary: 'Read a workspace as its owner',
  method: 'GET',
  path: '/v1/console/workspaces/:workspaceId',
  host: 'console',
  principal: 'console',
  roles: EVERY_MEMBER,
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'none' },
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace and what is in it' },
  errors: ['not_found'],
  noStore: true,
  async handle({ params, services }) {
    return { body: await consoleWorkspaceAnswer(services, installationOf(params.workspaceId)) };
  },
});
