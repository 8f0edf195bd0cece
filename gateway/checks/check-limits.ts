import type { z } from 'zod';
import { quotaAnswer } from '../../schemas/base/quota.ts';
import { checkProductSchema } from '../../schemas/checks/http.ts';
import { originQuota, runQuota, suiteQuota } from '../../schemas/checks/quotas.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../http/services.ts';
import { productRoute } from '../workspaces/product-route.ts';
import { readChecksRoot } from './check-reading.ts';

/** The used and the allowed amounts of an installation's browser checks. */
export async function checkLimits(
  { store, limits, clock }: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { plan }: Pick<WorkspaceView, 'plan'>,
): Promise<z.infer<typeof checkProductSchema>['limits']> {
  const root = await readChecksRoot(store, installationId);
  return {
    origins: quotaAnswer(originQuota(root, plan, limits)),
    suites: quotaAnswer(suiteQuota(root, plan, limits)),
    runs: quotaAnswer(runQuota(root, plan, limits, clock.now())),
  };
}

export const readCheckProductRoute = productRoute('svccheck', {
  name: 'readCheckProduct',
  summary: "Read the browser check's state and limits",
  schema: checkProductSchema,
  limits: checkLimits,
});
