import { isoTimeOrNull } from '../../schemas/base/time.ts';
import { hasProduct } from '../../schemas/products.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { NextAction } from '../../schemas/workspaces/overview.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { lastActivity, readActivity } from './activity.ts';
import { verifiedResults } from './contents.ts';
import { workspaceView } from './load-workspace.ts';

type Services = Pick<GatewayServices, 'store' | 'clock' | 'products'>;

interface Overview {
  readonly lastActivityAt: string | null;
  readonly next: NextAction | null;
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
  const [activity, next] = await Promise.all([
    readActivity(services, installationId, workspace.products),
    nextAction(services, installationId, workspace),
  ]);
  return { lastActivityAt: isoTimeOrNull(lastActivity(activity)), next };
}

/** The first thing that waits for a person, or null. A workspace that has ended waits for nothing. */
async function nextAction(
  services: Services,
  installationId: string,
  workspace: WorkspaceDocument,
): Promise<NextAction | null> {
  const none = { importId: null, schemaId: null, schemaName: null, since: null };
  switch (effectiveState(workspace, services.clock.now())) {
    case 'paused':
      return { ...none, kind: 'resume', count: 0 };
    case 'expired':
    case 'disconnected':
      return null;
    case 'preview':
      return (
        (await waitingWork(services, installationId, workspace)) ??
        (await claimAction(services, installationId))
      );
    case 'active':
      return await waitingWork(services, installationId, workspace);
  }
}

async function waitingWork(
  services: Services,
  installationId: string,
  workspace: WorkspaceDocument,
): Promise<NextAction | null> {
  const view = workspaceView(installationId, workspace);
  const enabled = services.products.filter(({ name }) => hasProduct(workspace.products, name));
  const waiting = await Promise.all(
    enabled.map(async ({ readWaiting }) => await readWaiting?.(services, view)),
  );
  return waiting.find((action) => action != null) ?? null;
}

async function claimAction(services: Services, installationId: string): Promise<NextAction | null> {
  const results = await verifiedResults(services, installationId);
  const first = results.at(-1);
  if (first === undefined) return null;
  const since = isoTimeOrNull(first.at);
  return { kind: 'claim', importId: null, schemaId: null, schemaName: null, count: results.length, since };
}
