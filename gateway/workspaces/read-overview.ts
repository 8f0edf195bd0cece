import { installationOf } from '../../schemas/base/ids.ts';
import { workspaceParamsSchema } from '../../schemas/workspaces/http.ts';
import { overviewSchema } from '../../schemas/workspaces/overview.ts';
import { workspaceMember } from '../audiences.ts';
import { activityAnswer, readActivity } from './activity.ts';
import { noAttachedWorkspace } from './console-answer.ts';
import { limitsInUse } from './limits-in-use.ts';
import { readWorkspace } from './load-workspace.ts';
import { readOverview } from './overview.ts';

/** GET `/v1/console/workspaces/{workspaceId}/overview`: what happens in a workspace and what waits in it. */
export const readOverviewRoute = workspaceMember.get('/overview', {
  name: 'readWorkspaceOverview',
  summary: 'Read what happens in a workspace and what waits in it',
  params: workspaceParamsSchema,
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
        ...overview,
        attachedBy: workspace.attachment.attachedBy,
        claimedBy: workspace.claim?.claimedBy ?? null,
        activity: activityAnswer(activity, services.clock.now()),
        limits,
      },
    };
  },
});
