import {
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../http/route.ts';
import { pathWorkspace } from '../imports/console-workspace.ts';
import { OWNER_ONLY } from '../people/roles.ts';
import { requireName } from './confirm-name.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/**
 * POST `…/erase`: erases a workspace in any state, with everything in it. Later requests of its owner get 410. Those of others
 * get the same answer as for a workspace that never existed.
 */
export const eraseWorkspaceRoute = defineRoute({
  name: 'eraseWorkspace',
  summary: 'Erase a workspace with everything in it',
  method: 'POST',
  path: '/v1/console/workspaces/:workspaceId/erase',
  host: 'console',
  principal: 'console',
  roles: OWNER_ONLY,
  whenPaused: 'allowed',
  whenEnded: 'allowed',
  rate: 'management',
  params: workspaceParamsSchema,
  body: { kind: 'json', schema: confirmedChangeRequestSchema, limit: 'jsonBytes' },
  success: {
    status: 200,
    schema: consoleWorkspaceSchema,
    description: 'What the workspace was, disconnected and empty; the last time that it is shown',
  },
  errors: ['forbidden', 'erased'],
  noStore: true,
  async handle({ workspace, principal, body, services, submit }) {
    const view = pathWorkspace({ workspace });
    requireName(view, body);
    const { installationId } = view;
    const last = await consoleWorkspaceAnswer(services, installationId);
    await submit({
      topic: 'organizations',
      key: principal.organizationId,
      type: 'erase-workspace',
      input: { installationId },
    });
    return { body: { ...last, state: 'disconnected', ...NOTHING } };
  },
});

const NOTHING = {
  inventory: { importSchemas: 0, imports: 0, checklists: 0, enrollments: 0 },
  results: [],
  credentials: [],
};
