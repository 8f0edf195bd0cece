import { importDocumentSchema, timelineDocumentSchema } from '../../schemas/imports/documents.ts';
import type { GatewayProduct } from '../http/product.ts';
import type { GatewayServices, SeenResult } from '../http/services.ts';
import { importDocumentation } from './documentation.ts';
import { importLimits } from './import-limits.ts';
import { importsAggregate } from './load-import.ts';
import { importRoutes } from './routes.ts';

/** CSV import. */
export const gatewayProduct: GatewayProduct = {
  name: 'svcimport',
  routes: importRoutes,
  documentation: importDocumentation,
  readLimits: importLimits,
  readResults: validImports,
};

/** The number of latest imports that are searched for results. */
const IMPORTS_LISTED_MAX = 20;

/** Returns the latest imports in which every row is valid. */
async function validImports(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
): Promise<SeenResult[]> {
  const aggregate = importsAggregate(installationId);
  const timeline = await store.list(aggregate, 'timeline', { limit: IMPORTS_LISTED_MAX, reverse: true });
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
