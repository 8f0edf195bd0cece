import type { z } from 'zod';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import type { GatewayServices } from '../http/services.ts';

/** The limits of the products that a workspace opted into, with the used part of each limit. */
export async function limitsInUse(
  services: Pick<GatewayServices, 'store' | 'limits' | 'clock' | 'products'>,
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'products' | 'plan'>,
): Promise<z.infer<typeof agentWorkspaceSchema>['limits']> {
  const opted = services.products.filter(({ name }) => workspace.products.includes(name));
  const used = await Promise.all(
    opted.map(async ({ name, readLimits }) => [name, await readLimits(services, installationId, workspace)]),
  );
  return agentWorkspaceSchema.shape.limits.parse(Object.fromEntries(used));
}
