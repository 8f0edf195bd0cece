import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { isoTimeOrNull } from '../../schemas/base/time.ts';
import { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import { agent } from '../audiences.ts';
import { workspaceAnswer } from './answers.ts';
import { limitsInUse } from './limits-in-use.ts';
import { readWorkspace } from './load-workspace.ts';

/** GET `/v1/agent/workspace`: shows limits and activation, also of a paused or expired workspace. */
export const readAgentWorkspaceRoute = agent.get('/workspace', {
  name: 'readAgentWorkspace',
  summary: 'Read the state and the limits of the own workspace',
  whenEnded: 'allowed',
  success: { status: 200, schema: agentWorkspaceSchema, description: 'The workspace' },
  errors: ['workspace_disconnected'],
  noStore: true,
  async handle({ principal, services }) {
    const { installationId } = principal.workspace;
    const now = services.clock.now();
    // An agent may see that its workspace has expired. It sees nothing of a workspace that its owner disconnected.
    const refusal = workspaceRefusal(principal.workspace, now, 'allowed');
    if (refusal?.code === 'workspace_disconnected') throw new ServiceError(refusal);
    const root = await readWorkspace(services.store, installationId);
    if (root === null)
      throw serviceError('unauthorized', {
        at: 'header.Authorization',
        seen: 'a credential of a workspace that is gone',
        expected: 'one of a workspace that exists',
      });
    return {
      body: {
        ...workspaceAnswer(installationId, root, { now, hosts: services.hosts }),
        activation: {
          attachedAt: isoTimeOrNull(root.attachment?.attachedAt ?? null),
          claimedAt: isoTimeOrNull(root.claim?.claimedAt ?? null),
        },
        limits: await limitsInUse(services, installationId, root),
      },
    };
  },
});
