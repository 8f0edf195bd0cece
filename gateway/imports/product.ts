import { importDocumentSchema, timelineDocumentSchema } from '../../schemas/imports/documents.ts';
import type { GatewayProduct } from '../http/product.ts';
import type { GatewayServices, SeenResult } from '../http/services.ts';
import { importDocumentation } from './documentation.ts';
import { importLimits } from './import-limits.ts';
import { importsAggregate } from './load-import.ts';
import { capabilityPrincipal, sessionPrincipal, uploadPrincipal } from './principals.ts';
import { findImports, IMPORTS_SEARCHED_MAX, importSchemas, waitingImport } from './recent-imports.ts';
import { importRoutes } from './routes.ts';

/** CSV import. */
export const importsGateway: GatewayProduct<'svcimport'> = {
  name: 'svcimport',
  authenticators: { upload: uploadPrincipal, capability: capabilityPrincipal, session: sessionPrincipal },
  routes: importRoutes,
  documentation: importDocumentation,
  readLimits: importLimits,
  readResults: validImports,
  readWaiting: waitingImport,
  readResources: importSchemas,
  findResources: findImports,
};

/** Returns the latest imports in which every row is valid. */
async function validImports(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
): Promise<SeenResult[]> {
  const aggregate = importsAggregate(installationId);
  const timeline = await store.list(aggregate, 'timeline', { limit: IMPORTS_SEARCHED_MAX, reverse: true });
  const ids = timeline.map(({ document }) => timelineDocumentSchema.parse(document).importId);
  const { rows } = await store.read(
    aggregate,
    ids.map((id) => ({ kind: 'import', id })),
  );
  return ids.flatMap((id): SeenResult[] => {
    const row = rows.find((found) => found.id === id);
    if (row === undefined) return [];
    const { source, validation, approvals } = importDocumentSchema.parse(row.document);
    const reached = approvals.length > 0 || (validation !== null && validation.digest !== null);
    return reached && source !== null ? [{ id, at: source.uploadedAt }] : [];
  });
}
