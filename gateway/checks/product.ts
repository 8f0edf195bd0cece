import { originState } from '../../schemas/checks/derived-states.ts';
import type { GatewayProduct } from '../http/product.ts';
import { keepFound, mapFound } from '../http/records/readings.ts';
import { checksReader, listOrigins } from './check-reading.ts';
import { findChecks } from './find-checks.ts';
import { checkRoutes } from './routes.ts';

/** The browser check. */
export const checksGateway: GatewayProduct<'svccheck'> = {
  name: 'svccheck',
  authenticators: {},
  routes: checkRoutes,
  async readResults({ store }, installationId) {
    const { lastVerified } = (await checksReader.read(store, installationId)).root;
    const found = lastVerified === null ? [] : [{ id: lastVerified.runId, at: lastVerified.at }];
    return { found, unreadable: [] };
  },
  async readProvedOrigins({ store, clock }, installationId) {
    const now = clock.now();
    const origins = await listOrigins({ store }, installationId);
    const proved = keepFound(origins, ({ document }) => originState(document, now) === 'verified');
    return mapFound(proved, ({ document }) => document.origin);
  },
  findResources: findChecks,
};
