import { workspaceOf } from '../../schemas/base/ids.ts';
import { organizationDocumentSchema, organizationRowSchemas } from '../../schemas/organizations/documents.ts';
import {
  type ErasedWorkspace,
  type WorkspaceDocument,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { readEach } from '../http/records/readings.ts';

/**
 * Reads a workspace's document; null if the workspace does not exist or is erased.
 *
 * @throws {EngineUnavailableError} while the store is down.
 */
export async function readWorkspace(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceDocument | null> {
  const { root } = await readAggregate(store, workspaceAggregate(installationId), workspaceRootSchema);
  return root === null || root.state === 'erased' ? null : root;
}

/** Like {@link readWorkspace}, for the gateway's checks of credentials, which end with their workspace. */
export async function findWorkspace(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceView | null> {
  const workspace = await readWorkspace(store, installationId);
  return workspace === null ? null : workspaceView(installationId, workspace);
}

/**
 * Like {@link findWorkspace}, for owners: they also find an erased workspace, by its mark.
 *
 * @param listedBy the organization that also finds a workspace which cannot be read, if it lists the workspace; null: none does
 */
export async function findWorkspaceOrMark(
  store: Pick<Store, 'read'>,
  installationId: string,
  listedBy: string | null,
): Promise<WorkspaceView | null> {
  const { found, unreadable } = await readEach([installationId], String, (id) =>
    readAggregate(store, workspaceAggregate(id), workspaceRootSchema),
  );
  for (const { cause } of unreadable) {
    if (listedBy === null) throw cause;
    return (await isListed(store, installationId, listedBy))
      ? unreadableView(installationId, listedBy)
      : null;
  }
  const root = found[0]?.root ?? null;
  if (root === null) return null;
  return root.state === 'erased' ? markView(installationId, root) : workspaceView(installationId, root);
}

async function isListed(
  store: Pick<Store, 'read'>,
  installationId: string,
  organizationId: string,
): Promise<boolean> {
  const key = { kind: 'workspace', id: workspaceOf(installationId) };
  const organization = { table: 'organizations', id: organizationId } as const;
  const { row } = await readAggregate(store, organization, organizationDocumentSchema, [key]);
  return row(key.kind, key.id, organizationRowSchemas.workspace)?.state === 'attached';
}

/** The view of a workspace that cannot be read. It is called by its id. */
function unreadableView(installationId: string, organizationId: string): WorkspaceView {
  const mark = markView(installationId, { organizationId });
  return { ...mark, name: mark.workspaceId, state: 'disconnected' };
}

/** The aggregate of an installation's workspace. */
export function workspaceAggregate(installationId: string): AggregateRef {
  return { table: 'workspaces', id: installationId };
}

/** The part of a workspace's document that checks need. */
export function workspaceView(installationId: string, workspace: WorkspaceDocument): WorkspaceView {
  const { name, attachment, creator = null, state, plan, expiresAt, products } = workspace;
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name,
    organizationId: attachment?.organizationId ?? null,
    creator,
    state,
    plan,
    expiresAt,
    products,
  };
}

/** The view of an erased workspace. */
function markView(
  installationId: string,
  { organizationId }: Pick<ErasedWorkspace, 'organizationId'>,
): WorkspaceView {
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name: '',
    organizationId,
    creator: null,
    state: 'erased',
    plan: 'preview',
    expiresAt: null,
    products: [],
  };
}
