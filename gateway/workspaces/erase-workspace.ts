import { mapCounters } from '../../schemas/products.ts';
import {
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';

import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { OWNER_ONLY } from '../people/roles.ts';
import { requireName } from './confirm-name.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';

/**
 * POST `…/erase`: erases a workspace in any state, with everything in it. Later requests of its owner get 410. Those of others
 * get the same answer as for a workspace that never existed.
 */
export const eraseWorkspaceRoute = workspaceOwner.post('/erase', {
  name: 'eraseWorkspace',
  summary: 'Erase a workspace with everything in it',
  roles: OWNER_ONLY,
  whenEnded: 'allowed',
  params: workspaceParamsSchema,
  body: json(confirmedChangeRequestSchema),
  success: {
    status: 200,
    schema: consoleWorkspaceSchema,
    description: 'What the workspace was, disconnected and empty; the last time that it is shown',
  },
  errors: ['erased'],
  async handle({ workspace, principal, body, services, submit }) {
    const view = workspace;
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
  inventory: mapCounters(() => 0),
  results: [],
  credentials: [],
};
