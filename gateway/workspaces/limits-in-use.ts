import type { z } from 'zod';
import { hasProduct } from '../../schemas/products.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import type { GatewayServices } from '../http/services.ts';

/** The limits of a workspace's products, with the used part of each limit. */
export async function limitsInUse(
  services: Pick<GatewayServices, 'store' | 'limits' | 'clock' | 'products'>,
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'products' | 'plan'>,
): Promise<z.infer<typeof agentWorkspaceSchema>['limits']> {
  const enabled = services.products.filter(({ name }) => hasProduct(workspace.products, name));
  const used = await Promise.all(
    enabled.map(async ({ name, readLimits }) => [
      name,
      await readLimits(services, installationId, workspace),
    ]),
  );
  return agentWorkspaceSchema.shape.limits.parse(Object.fromEntries(used));
}
