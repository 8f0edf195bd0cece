import { workspaceOf } from '../../schemas/base/ids.ts';
import {
  type ErasedWorkspace,
  type WorkspaceDocument,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/read-aggregate.ts';

/**
 * A workspace's document as of now; null when there is none, or none any more.
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

/** The same as the gateway's checks see it: for credentials, which end with their workspace. */
export async function findWorkspace(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceView | null> {
  const workspace = await readWorkspace(store, installationId);
  return workspace === null ? null : workspaceView(installationId, workspace);
}

/** The same for owners, who learn of an erased workspace that it was erased. */
export async function findWorkspaceOrMark(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceView | null> {
  const { root } = await readAggregate(store, workspaceAggregate(installationId), workspaceRootSchema);
  if (root === null) return null;
  return root.state === 'erased' ? markView(installationId, root) : workspaceView(installationId, root);
}

/** Where an installation's workspace is stored. */
export function workspaceAggregate(installationId: string): AggregateRef {
  return { table: 'workspaces', id: installationId };
}

/** The part of a workspace's document that checks need. */
export function workspaceView(installationId: string, workspace: WorkspaceDocument): WorkspaceView {
  const { name, attachment, state, plan, expiresAt, products } = workspace;
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name,
    organizationId: attachment?.organizationId ?? null,
    state,
    plan,
    expiresAt,
    products,
  };
}

/** What checks see of an erased workspace. */
function markView(installationId: string, { state, organizationId }: ErasedWorkspace): WorkspaceView {
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name: '',
    organizationId,
    state,
    plan: 'preview',
    expiresAt: null,
    products: [],
  };
}
