import type { GatewayProduct } from '../http/product.ts';
import type { Readings } from '../http/records/readings.ts';
import type { GatewayServices, SeenResult } from '../services.ts';
import { importsReader } from './load-import.ts';
import { capabilityPrincipal, sessionPrincipal, uploadPrincipal } from './principals.ts';
import { findImports, IMPORTS_SEARCHED_MAX, importSchemas, waitingImport } from './recent-imports.ts';
import { importRoutes } from './routes.ts';

/** CSV import. */
export const importsGateway: GatewayProduct<'svcimport'> = {
  name: 'svcimport',
  authenticators: { upload: uploadPrincipal, capability: capabilityPrincipal, session: sessionPrincipal },
  routes: importRoutes,
  readResults: validImports,
  readWaiting: waitingImport,
  readResources: importSchemas,
  findResources: findImports,
};

/** Returns the latest imports in which every row is valid. */
async function validImports(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
): Promise<Readings<SeenResult>> {
  const options = { limit: IMPORTS_SEARCHED_MAX, reverse: true };
  const timeline = await importsReader.list(store, installationId, 'timeline', options);
  const ids = timeline.found.map(({ document }) => document.importId);
  const imports = await importsReader.rows(store, installationId, 'import', ids);
  const found = imports.found.flatMap(({ id, document: { source, validation, approvals } }): SeenResult[] => {
    const isWhole = validation !== null && validation.digest !== null;
    if (source === null || (approvals.length === 0 && !isWhole)) return [];
    return [{ id, at: source.uploadedAt, ...(isWhole ? { rows: validation.valid } : {}) }];
  });
  return { found, unreadable: [...timeline.unreadable, ...imports.unreadable] };
}
