import type { z } from 'zod';
import { installationOf } from '../../../schemas/base/ids.ts';
import type { WorkspaceDocument } from '../../../schemas/workspaces/documents.ts';
import { listWorkspacesQuerySchema, workspaceListSchema } from '../../../schemas/workspaces/http.ts';
import { overviewListSchema } from '../../../schemas/workspaces/overview.ts';
import type { Row } from '../../../topics/ports/store.ts';
import { member } from '../../audiences.ts';
import { type Readings, readEach } from '../../http/records/readings.ts';
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
    const workspaces = attached.found.map(({ installationId, workspace }) =>
      workspaceSummary(installationId, workspace, now),
    );
    return { body: { workspaces, nextCursor }, unreadable: attached.unreadable };
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
): Promise<{ readonly attached: Readings<AttachedWorkspace>; readonly nextCursor: string | null }> {
  const rows = await store.list({ table: 'organizations', id: organizationId }, 'timeline', {
    limit: limit + 1,
    reverse: true,
    ...(cursor === undefined ? {} : { after: cursor }),
  });
  const page = rows.slice(0, limit);
  const { found, unreadable } = await readEach(page.map(workspaceIdOf), String, (workspaceId) =>
    readAttached(store, workspaceId, organizationId),
  );
  return {
    // A reservation without an attachment leaves a gap in its page.
    attached: { found: found.filter((each) => each !== null), unreadable },
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** The workspace that an entry of the timeline lists. Its id says so as well: the entry need not be readable. */
export function workspaceIdOf({ id }: Pick<Row, 'id'>): string {
  return id.slice(id.indexOf(':') + 1);
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
    const now = services.clock.now();
    const read = await Promise.all(
      attached.found.map(async ({ installationId, workspace }) => {
        const { overview, unreadable } = await readOverview(services, installationId, workspace);
        return { shown: { ...workspaceSummary(installationId, workspace, now), ...overview }, unreadable };
      }),
    );
    return {
      body: { workspaces: read.map(({ shown }) => shown), nextCursor },
      unreadable: [...attached.unreadable, ...read.flatMap(({ unreadable }) => unreadable)],
    };
  },
});
