import type { z } from 'zod';
import { quotaAnswer } from '../../schemas/base/quota.ts';
import { EMPTY_IMPORTS_ROOT, type ImportsRoot, importsRootSchema } from '../../schemas/imports/documents.ts';
import { importProductSchema } from '../../schemas/imports/http.ts';
import { importQuota, schemaQuota } from '../../schemas/imports/quotas.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { productRoute } from '../workspaces/product-route.ts';
import { importsAggregate } from './load-import.ts';

/** An installation's use of the import limits of its plan. */
export async function importLimits(
  { store, limits, clock }: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { plan }: Pick<WorkspaceView, 'plan'>,
): Promise<z.infer<typeof importProductSchema>['limits']> {
  const root = await readImportsRoot(store, installationId);
  return {
    schemas: quotaAnswer(schemaQuota(root, plan, limits)),
    imports: quotaAnswer(importQuota(root, plan, limits, clock.now())),
  };
}

/** The counts of an installation's imports; zeros before there is anything to count. */
async function readImportsRoot(
  store: Pick<GatewayServices['store'], 'read'>,
  installationId: string,
): Promise<ImportsRoot> {
  const { root } = await readAggregate(store, importsAggregate(installationId), importsRootSchema);
  return root ?? EMPTY_IMPORTS_ROOT;
}

export const readImportProductRoute = productRoute('svcimport', {
  name: 'readImportProduct',
  summary: "Read the import product's state and limits",
  schema: importProductSchema,
  limits: importLimits,
});
