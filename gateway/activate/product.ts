import type { GatewayProduct } from '../http/product.ts';
import { keepFound } from '../http/records/readings.ts';
import { activateReader, checklistResources } from './checklist-reading.ts';
import { progressPrincipal } from './progress-principal.ts';
import { activateRoutes } from './routes.ts';

/** Onboarding checklists. */
export const activateGateway: GatewayProduct<'svcactivate'> = {
  name: 'svcactivate',
  authenticators: { progress: progressPrincipal },
  routes: activateRoutes,
  async readResults({ store }, installationId) {
    const { lastEvent } = (await activateReader.read(store, installationId)).root;
    const found = lastEvent === null ? [] : [{ id: lastEvent.checklistId, at: lastEvent.at }];
    return { found, unreadable: [] };
  },
  readResources: checklistResources,
  async findResources(services, { installationId }, { matches }) {
    const checklists = await checklistResources(services, installationId);
    return keepFound(checklists, ({ id, name }) => matches(id, name));
  },
};
