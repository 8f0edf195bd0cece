import { listWorkspacesQuerySchema } from '../../schemas/workspaces/http.ts';
import { overviewListSchema } from '../../schemas/workspaces/overview.ts';
import { member } from '../audiences.ts';
import { workspaceSummary } from './answers.ts';
import { listAttached } from './list-workspaces.ts';
import { readOverview } from './overview.ts';

/** GET `/v1/console/workspace-overviews`: the workspaces of the organization with what happens in each, newest first. */
export const listOverviewsRoute = member.get('/workspace-overviews', {
  name: 'listWorkspaceOverviews',
  summary: "List the organization's workspaces with what waits in them",
  query: listWorkspacesQuerySchema,
  success: { status: 200, schema: overviewListSchema, description: 'One page of workspaces' },
  async handle({ principal, query, services }) {
    const { attached, nextCursor } = await listAttached(services, principal.organizationId, query);
    const workspaces = await Promise.all(
      attached.map(async ({ installationId, workspace }) => ({
        ...workspaceSummary(installationId, workspace, services.clock.now()),
        ...(await readOverview(services, installationId, workspace)),
      })),
    );
    return { body: { workspaces, nextCursor } };
  },
});
