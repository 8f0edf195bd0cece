import { ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { installationOf } from '../../../schemas/base/ids.ts';
import { isoTimeOrNull } from '../../../schemas/base/time.ts';
import { agentWorkspaceSchema, consoleWorkspaceSchema } from '../../../schemas/workspaces/http.ts';
import { overviewSchema } from '../../../schemas/workspaces/overview.ts';
import { workspaceRefusal } from '../../../schemas/workspaces/state.ts';
import { agent, workspaceMember } from '../../audiences.ts';
import { joined } from '../../http/records/readings.ts';
import { activityAnswer, readActivity } from '../activity.ts';
import { consoleWorkspaceAnswer, noAttachedWorkspace } from '../console-answer.ts';
import { limitsInUse } from '../limits-in-use.ts';
import { readWorkspace } from '../load-workspace.ts';
import { readOverview } from '../overview.ts';
import { workspaceAnswer } from '../workspace-answers.ts';

export const readWorkspaceRoute = workspaceMember.get('', {
  name: 'readWorkspace',
  summary: 'Read a workspace as its owner',
  description: 'Returns a workspace with counts of its contents, its verified results and its credentials.',
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace and what is in it' },
  errors: ['not_found'],
  async handle({ params, services }) {
    return await consoleWorkspaceAnswer(services, installationOf(params.workspaceId));
  },
});

export const readOverviewRoute = workspaceMember.get('/overview', {
  name: 'readWorkspaceOverview',
  summary: 'Read what happens in a workspace and what waits in it',
  description:
    'Returns what waits for a person, the use of the limits, and what each product accepted in each of the last 24 hours: milestone events, and reserved imports.',
  success: { status: 200, schema: overviewSchema, etag: true, description: 'The overview' },
  errors: ['not_found'],
  async handle({ params, services }) {
    const installationId = installationOf(params.workspaceId);
    const workspace = await readWorkspace(services.store, installationId);
    if (workspace === null || workspace.attachment === null) throw noAttachedWorkspace();
    const [overview, activity, limits] = await Promise.all([
      readOverview(services, installationId, workspace),
      readActivity(services, installationId, workspace.products),
      limitsInUse(services, installationId, workspace),
    ]);
    return {
      body: {
        ...overview.overview,
        attachedBy: workspace.attachment.attachedBy,
        claimedBy: workspace.claim?.claimedBy ?? null,
        activity: activityAnswer(activity.found, services.clock.now()),
        limits: limits.limits,
      },
      unreadable: joined([overview, activity, limits].map((part) => ({ ...part, found: [] }))).unreadable,
    };
  },
});

export const readAgentWorkspaceRoute = agent.get('/workspace', {
  name: 'readAgentWorkspace',
  summary: 'Read the state and the limits of your workspace',
  description: 'Returns the state, the plan and what is left of the limits.',
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
    const { limits, unreadable } = await limitsInUse(services, installationId, root);
    return {
      unreadable,
      body: {
        ...workspaceAnswer(installationId, root, { now, hosts: services.hosts }),
        activation: {
          attachedAt: isoTimeOrNull(root.attachment?.attachedAt ?? null),
          claimedAt: isoTimeOrNull(root.claim?.claimedAt ?? null),
        },
        limits,
      },
    };
  },
});
