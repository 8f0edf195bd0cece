import type { z } from 'zod';
import { isoTime } from '../../../schemas/base/time.ts';
import type { deliveryImportSchema, deliveryListSchema } from '../../../schemas/imports/http.ts';
import type { GatewayServices } from '../../http/services.ts';
import type { PrincipalOf } from '../../principals.ts';
import { type LoadedImport, loadImport, statusAnswer } from '../load-import.ts';

/**
 * An import of the capability's own schema.
 *
 * @throws {ServiceError} `not_found` for any other one, `erased` for one that was.
 */
export async function loadDelivery(
  services: GatewayServices,
  { workspace, owned }: PrincipalOf<'capability'>,
  importId: string,
): Promise<LoadedImport> {
  return await loadImport(services, workspace, importId, (owner) => owner.schemaId === owned.schemaId);
}

/** One import, as the list shows it. */
export function deliveryEntry(
  services: GatewayServices,
  loaded: LoadedImport,
): z.infer<typeof deliveryListSchema>['imports'][number] {
  const { importId, status, schemaRevision, rows, batchCount, acknowledgedBatches, approvedAt } =
    statusAnswer(services, loaded);
  const rowCount = rows.valid;
  return { importId, status, schemaRevision, rowCount, batchCount, acknowledgedBatches, approvedAt };
}

/** One import as the customer's backend sees it. */
export function deliveryAnswer(
  services: GatewayServices,
  loaded: LoadedImport,
): z.infer<typeof deliveryImportSchema> {
  const { document, effective } = loaded;
  return {
    ...deliveryEntry(services, loaded),
    mappingRevision: document.mappingRevision === 0 ? null : document.mappingRevision,
    validationDigest: effective.validation?.digest ?? null,
    expiresAt: isoTime(effective.expiresAt),
  };
}
