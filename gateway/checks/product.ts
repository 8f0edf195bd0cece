import type { GatewayProduct } from '../http/product.ts';
import { checkLimits } from './check-limits.ts';
import { readChecksRoot } from './check-reading.ts';
import { checkDocumentation } from './documentation.ts';
import { checkRoutes } from './routes.ts';

/** The browser check. */
export const gatewayProduct: GatewayProduct<'svccheck'> = {
  name: 'svccheck',
  authenticators: {},
  routes: checkRoutes,
  documentation: checkDocumentation,
  readLimits: checkLimits,
  async readResults({ store }, installationId) {
    const { lastVerified } = await readChecksRoot(store, installationId);
    return lastVerified === null ? [] : [{ id: lastVerified.runId, at: lastVerified.at }];
  },
};
