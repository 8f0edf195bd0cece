import { originState } from '../../schemas/checks/states.ts';
import type { GatewayProduct } from '../http/product.ts';
import { checkLimits } from './check-limits.ts';
import { listOrigins, readChecksRoot } from './check-reading.ts';
import { checkDocumentation } from './documentation.ts';
import { findChecks } from './find-checks.ts';
import { checkRoutes } from './routes.ts';

/** The browser check. */
export const checksGateway: GatewayProduct<'svccheck'> = {
  name: 'svccheck',
  authenticators: {},
  routes: checkRoutes,
  documentation: checkDocumentation,
  readLimits: checkLimits,
  async readResults({ store }, installationId) {
    const { lastVerified } = await readChecksRoot(store, installationId);
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
