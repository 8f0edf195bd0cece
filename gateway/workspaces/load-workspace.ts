import { workspaceOf } from '../../schemas/base/ids.ts';
import { type WorkspaceDocument, workspaceDocumentSchema } from '../../schemas/workspaces/documents.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readAggregate } from '../read-aggregate.ts';

/**
 * A workspace as the gateway's checks see it, as of now; null when there is none.
 *
 * @throws {EngineUnavailableError} while the store is down.
 */
export async function findWorkspace(
  store: Pick<Store, 'read'>,
  installationId: string,
): Promise<WorkspaceView | null> {
  const { root } = await readAggregate(store, workspaceAggregate(installationId), workspaceDocumentSchema);
  return root === null ? null : workspaceView(installationId, root);
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
