import type { GatewayProduct } from '../http/product.ts';
import { checklistLimits } from './checklist-limits.ts';
import { readActivateRoot } from './checklist-reading.ts';
import { activateDocumentation } from './documentation.ts';
import { activateRoutes } from './routes.ts';

/** Onboarding checklists. */
export const gatewayProduct: GatewayProduct = {
  name: 'svcactivate',
  routes: activateRoutes,
  documentation: activateDocumentation,
  readLimits: checklistLimits,
  async readResults({ store }, installationId) {
    const { lastEvent } = await readActivateRoot(store, installationId);
    return lastEvent === null ? [] : [{ id: lastEvent.checklistId, at: lastEvent.at }];
  },
};
