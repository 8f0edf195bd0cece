import { readStored } from '../../schemas/base/stored.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { apiKeyDocumentSchema, apiKeyOrderDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import type { Match } from '../../schemas/workspaces/overview.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { GatewayServices, Search } from '../services.ts';

/** The number of latest keys that a search looks at, revoked ones included. At most 40 of an organization are active. */
const KEYS_SEARCHED_MAX = 100;

const OF_NO_WORKSPACE = {
  workspaceId: null,
  workspaceName: null,
  workspaceState: null,
  importState: null,
  revision: null,
} as const;

/** Returns the keys of an organization that match by name, id or last four characters, newest first. */
export async function findKeys(
  { store }: Pick<GatewayServices, 'store'>,
  organizationId: string,
  { text, matches }: Search,
): Promise<Match[]> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const entries = await store.list(aggregate, 'api-key-order', { limit: KEYS_SEARCHED_MAX, reverse: true });
  const ids = entries.map(({ document }) => readStored(apiKeyOrderDocumentSchema, document).keyId);
  if (ids.length === 0) return [];
  const rows = ids.map((id) => ({ kind: 'api-key', id }));
  const { row } = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
  return ids.flatMap((id): Match[] => {
    const key = row('api-key', id, apiKeyDocumentSchema);
    if (key === null || !(matches(id, key.name) || key.last4 === text)) return [];
    const { name, createdAt } = key;
    return [{ ...OF_NO_WORKSPACE, kind: 'key', id, name, createdAt: isoTime(createdAt) }];
  });
}
