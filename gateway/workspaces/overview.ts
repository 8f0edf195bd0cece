import { isoTimeOrNull } from '../../schemas/base/time.ts';
import { hasProduct } from '../../schemas/products.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { NextAction } from '../../schemas/workspaces/overview.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import { joined, type Readings, type Unreadable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';
import { lastActivity, readActivity } from './activity.ts';
import { verifiedResults } from './contents.ts';
import { workspaceView } from './load-workspace.ts';
import { readProducts } from './read-products.ts';

type Services = Pick<GatewayServices, 'store' | 'clock' | 'products'>;

interface Overview {
  readonly overview: { readonly lastActivityAt: string | null; readonly next: NextAction | null };
  /** Entries and products that cannot be read: nothing that waits in them is shown. */
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads what happens in a workspace. It costs one read for each product, and up to three more where there are imports, so that
 * a page of workspaces shows it in one request.
 */
export async function readOverview(
  services: Services,
  installationId: string,
  workspace: WorkspaceDocument,
): Promise<Overview> {
  const [activity, actions] = await Promise.all([
    readActivity(services, installationId, workspace.products),
    nextActions(services, installationId, workspace),
  ]);
  const [next = null] = actions.found;
  return {
    overview: { lastActivityAt: isoTimeOrNull(lastActivity(activity.found)), next },
    unreadable: [...activity.unreadable, ...actions.unreadable],
  };
}

/** Returns the actions that wait for a person, the first one first. A workspace that has ended waits for nothing. */
async function nextActions(
  services: Services,
  installationId: string,
  workspace: WorkspaceDocument,
): Promise<Readings<NextAction>> {
  const none = { importId: null, schemaId: null, schemaName: null, since: null };
  switch (effectiveState(workspace, services.clock.now())) {
    case 'paused':
      return { found: [{ ...none, kind: 'resume', count: 0 }], unreadable: [] };
    case 'expired':
    case 'disconnected':
      return { found: [], unreadable: [] };
    case 'preview': {
      const waiting = await waitingWork(services, installationId, workspace);
      return waiting.found.length > 0
        ? waiting
        : joined([waiting, await claimAction(services, installationId)]);
    }
    case 'active':
      return await waitingWork(services, installationId, workspace);
  }
}

async function waitingWork(
  services: Services,
  installationId: string,
  workspace: WorkspaceDocument,
): Promise<Readings<NextAction>> {
  const view = workspaceView(installationId, workspace);
  const enabled = services.products.filter(({ name }) => hasProduct(workspace.products, name));
  return await readProducts(enabled, ({ readWaiting }) => readWaiting?.(services, view));
}

async function claimAction(services: Services, installationId: string): Promise<Readings<NextAction>> {
  const { found: results, unreadable } = await verifiedResults(services, installationId);
  const first = results.at(-1);
  if (first === undefined) return { found: [], unreadable };
  const since = isoTimeOrNull(first.at);
  const none = { importId: null, schemaId: null, schemaName: null };
  return { found: [{ ...none, kind: 'claim', count: results.length, since }], unreadable };
}
