import type { z } from 'zod';
import { schemaDocumentSchema } from '../../schemas/imports/documents.ts';
import type { schemaListSchema } from '../../schemas/imports/http.ts';
import type { GatewayServices } from '../http/services.ts';
import { importsAggregate } from './load-import.ts';

/** An installation's schemas in the order they were made. There are as many as a plan ever allows. */
export async function listSchemas(
  { store, limits }: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
): Promise<z.infer<typeof schemaListSchema>> {
  const { preview, free } = limits.plans;
  const rows = await store.list(importsAggregate(installationId), 'schema', {
    limit: Math.max(1, preview.importSchemas, free.importSchemas),
  });
  const schemas = rows.map(({ id, document }) => ({ id, ...schemaDocumentSchema.parse(document) }));
  schemas.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
  return {
    schemas: schemas.map(({ id, name, revision, allowedOrigins }) => ({
      schemaId: id,
      name,
      revision,
      allowedOrigins,
    })),
  };
}
