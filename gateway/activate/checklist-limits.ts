import type { z } from 'zod';
import { activateProductSchema } from '../../schemas/activate/http.ts';
import { checklistQuota, enrollmentQuota, eventQuota } from '../../schemas/activate/quotas.ts';
import { quotaAnswer } from '../../schemas/base/quota.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../http/services.ts';
import { productRoute } from '../workspaces/product-route.ts';
import { readActivateRoot } from './checklist-reading.ts';

/** The used and the allowed amounts of an installation's checklist limits. */
export async function checklistLimits(
  { store, limits, clock }: Pick<GatewayServices, 'store' | 'limits' | 'clock'>,
  installationId: string,
  { plan }: Pick<WorkspaceView, 'plan'>,
): Promise<z.infer<typeof activateProductSchema>['limits']> {
  const root = await readActivateRoot(store, installationId);
  return {
    checklists: quotaAnswer(checklistQuota(root, plan, limits)),
    enrollments: quotaAnswer(enrollmentQuota(root, plan, limits)),
    events: quotaAnswer(eventQuota(root, plan, limits, clock.now())),
  };
}

export const readActivateProductRoute = productRoute('svcactivate', {
  name: 'readActivateProduct',
  summary: "Read the checklist product's state and limits",
  schema: activateProductSchema,
  limits: checklistLimits,
});
