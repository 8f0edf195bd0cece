import { workspaceOf } from '../../schemas/base/ids.ts';
import {
  type ErasedWorkspace,
  type WorkspaceDocument,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';

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

/** Like {@link findWorkspace}, for owners: they also find an erased workspace, by its mark. */
export async function findWorkspaceOrMark(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceView | null> {
  const { root } = await readAggregate(store, workspaceAggregate(installationId), workspaceRootSchema);
  if (root === null) return null;
  return root.state === 'erased' ? markView(installationId, root) : workspaceView(installationId, root);
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
function markView(installationId: string, { state, organizationId }: ErasedWorkspace): WorkspaceView {
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name: '',
    organizationId,
    creator: null,
    state,
    plan: 'preview',
    expiresAt: null,
    products: [],
  };
}
