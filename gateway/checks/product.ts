import { originState } from '../../schemas/checks/derived-states.ts';
import type { GatewayProduct } from '../http/product.ts';
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
    return lastVerified === null ? [] : [{ id: lastVerified.runId, at: lastVerified.at }];
  },
  async readProvedOrigins({ store, clock }, installationId) {
    const now = clock.now();
    const origins = await listOrigins({ store }, installationId);
    return origins
      .filter(({ document }) => originState(document, now) === 'verified')
      .map(({ document }) => document.origin);
  },
  findResources: findChecks,
};
