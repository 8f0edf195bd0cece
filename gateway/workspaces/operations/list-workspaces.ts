import type { z } from 'zod';
import { installationOf } from '../../../schemas/base/ids.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { timelineDocumentSchema } from '../../../schemas/organizations/documents.ts';
import type { WorkspaceDocument } from '../../../schemas/workspaces/documents.ts';
import { listWorkspacesQuerySchema, workspaceListSchema } from '../../../schemas/workspaces/http.ts';
import { overviewListSchema } from '../../../schemas/workspaces/overview.ts';
import { member } from '../../audiences.ts';
import type { GatewayServices } from '../../services.ts';
import { readWorkspace } from '../load-workspace.ts';
import { readOverview } from '../overview.ts';
import { workspaceSummary } from '../workspace-answers.ts';

export const listWorkspacesRoute = member.get('/workspaces', {
  name: 'listWorkspaces',
  summary: "List the organization's workspaces",
  description: 'Returns the workspaces of the organization, newest first.',
  query: listWorkspacesQuerySchema,
  success: { status: 200, schema: workspaceListSchema, description: 'One page of workspaces' },
  async handle({ principal, query, services }) {
    const { attached, nextCursor } = await listAttached(services, principal.organizationId, query);
    const now = services.clock.now();
    const workspaces = attached.map(({ installationId, workspace }) =>
      workspaceSummary(installationId, workspace, now),
    );
    return { body: { workspaces, nextCursor } };
  },
});

interface AttachedWorkspace {
  readonly installationId: string;
  readonly workspace: WorkspaceDocument;
}

/** Reads one page of the workspaces that are attached to an organization, newest first. */
async function listAttached(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  { cursor, limit }: z.infer<typeof listWorkspacesQuerySchema>,
): Promise<{ readonly attached: readonly AttachedWorkspace[]; readonly nextCursor: string | null }> {
  const rows = await store.list({ table: 'organizations', id: organizationId }, 'timeline', {
    limit: limit + 1,
    reverse: true,
    ...(cursor === undefined ? {} : { after: cursor }),
  });
  const page = rows.slice(0, limit);
  const found = await Promise.all(
    page.map(({ document }) =>
      readAttached(store, readStored(timelineDocumentSchema, document).workspaceId, organizationId),
    ),
  );
  return {
    // A reservation without an attachment leaves a gap in its page.
    attached: found.filter((each) => each !== null),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Reads a workspace; null unless its own root says that it is attached to this organization. */
export async function readAttached(
  store: GatewayServices['store'],
  workspaceId: string,
  organizationId: string,
): Promise<AttachedWorkspace | null> {
  const installationId = installationOf(workspaceId);
  const workspace = await readWorkspace(store, installationId);
  if (workspace === null || workspace.attachment?.organizationId !== organizationId) return null;
  return { installationId, workspace };
}

export const listOverviewsRoute = member.get('/workspace-overviews', {
  name: 'listWorkspaceOverviews',
  summary: "List the organization's workspaces with what waits in them",
  description:
    'Returns the workspaces of the organization, newest first, each with its latest activity and what waits for a person.',
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
