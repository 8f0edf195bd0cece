import type { z } from 'zod';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import { checklistLimits } from '../activate/checklist-limits.ts';
import type { GatewayServices } from '../http/services.ts';
import { importLimits } from '../imports/import-limits.ts';

/** The limits of the products that a workspace opted into, with the used part of each limit. */
export async function limitsInUse(
  services: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { products, plan }: Pick<WorkspaceDocument, 'products' | 'plan'>,
): Promise<z.infer<typeof agentWorkspaceSchema>['limits']> {
  return {
    ...(products.includes('svcimport')
      ? { svcimport: await importLimits(services, installationId, { plan }) }
      : {}),
    ...(products.includes('svcactivate')
      ? { svcactivate: await checklistLimits(services, installationId, { plan }) }
      : {}),
  };
}
