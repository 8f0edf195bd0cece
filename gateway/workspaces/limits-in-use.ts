import type { z } from 'zod';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { agentWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import { checklistLimits } from '../activate/checklist-limits.ts';
import type { GatewayServices } from '../http/services.ts';
import { importLimits } from '../imports/import-limits.ts';

/** What a workspace has used of the limits of the products that it opted into. */
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
