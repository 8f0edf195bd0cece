import { installationOf } from '../../schemas/base/ids.ts';
import { timelineDocumentSchema } from '../../schemas/organizations/documents.ts';
import { listWorkspacesQuerySchema, workspaceListSchema } from '../../schemas/workspaces/http.ts';
import { member } from '../audiences.ts';
import type { GatewayServices } from '../http/services.ts';
import { workspaceSummary } from './answers.ts';
import { readWorkspace } from './load-workspace.ts';

/** GET `/v1/console/workspaces`: lists the workspaces that are attached to the organization, newest first. */
export const listWorkspacesRoute = member.get('/workspaces', {
  name: 'listWorkspaces',
  summary: "List the organization's workspaces",
  query: listWorkspacesQuerySchema,
  success: { status: 200, schema: workspaceListSchema, description: 'One page of workspaces' },
  async handle({ principal, query, services }) {
    const { organizationId } = principal;
    const { cursor, limit } = query;
    const rows = await services.store.list({ table: 'organizations', id: organizationId }, 'timeline', {
      limit: limit + 1,
      reverse: true,
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const page = rows.slice(0, limit);
    const summaries = await Promise.all(
      page.map(({ document }) =>
        attachedSummary(services, timelineDocumentSchema.parse(document).workspaceId, organizationId),
      ),
    );
    return {
      body: {
        // A reservation without an attachment leaves a gap in its page.
        workspaces: summaries.filter((summary) => summary !== null),
        nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      },
    };
  },
});

/** The workspace, or null unless its own root says that it is attached to this organization. */
async function attachedSummary(
  { store, clock }: GatewayServices,
  workspaceId: string,
  organizationId: string,
) {
  const installationId = installationOf(workspaceId);
  const root = await readWorkspace(store, installationId);
  if (root === null || root.attachment?.organizationId !== organizationId) return null;
  return workspaceSummary(installationId, root, clock.now());
}
