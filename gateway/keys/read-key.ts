import { type ApiKeyDocument, apiKeyDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import { notFound } from '../http/guards.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { GatewayServices } from '../services.ts';

/** Reads a key of an organization. @throws {ServiceError} `not_found` if the organization has no such key. */
export async function readKey(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  keyId: string,
): Promise<ApiKeyDocument> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const rows = [{ kind: 'api-key', id: keyId }];
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
  const key = row('api-key', keyId, apiKeyDocumentSchema);
  if (key === null) throw notFound();
  return key;
}
