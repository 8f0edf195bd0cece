import type { GatewayProduct } from '../http/product.ts';
import { checklistLimits } from './checklist-limits.ts';
import { checklistResources, readActivateRoot } from './checklist-reading.ts';
import { activateDocumentation } from './documentation.ts';
import { progressPrincipal } from './progress-principal.ts';
import { activateRoutes } from './routes.ts';

/** Onboarding checklists. */
export const activateGateway: GatewayProduct<'svcactivate'> = {
  name: 'svcactivate',
  authenticators: { progress: progressPrincipal },
  routes: activateRoutes,
  documentation: activateDocumentation,
  readLimits: checklistLimits,
  async readResults({ store }, installationId) {
    const { lastEvent } = await readActivateRoot(store, installationId);
    return lastEvent === null ? [] : [{ id: lastEvent.checklistId, at: lastEvent.at }];
  },
  readResources: checklistResources,
  async findResources(services, { installationId }, { matches }) {
    const checklists = await checklistResources(services, installationId);
    return checklists.filter(({ id, name }) => matches(id, name));
  },
};
