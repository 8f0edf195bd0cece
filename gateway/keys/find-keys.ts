import { isoTime } from '../../schemas/base/time.ts';
import { apiKeyDocumentSchema } from '../../schemas/organizations/api-keys.ts';
import { organizationDocumentSchema } from '../../schemas/organizations/documents.ts';
import type { Match } from '../../schemas/workspaces/overview.ts';
import type { Row } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { keepFound, mapFound, type Readings } from '../http/records/readings.ts';
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
): Promise<Readings<Match>> {
  const aggregate = { table: 'organizations', id: organizationId } as const;
  const entries = await store.list(aggregate, 'api-key-order', { limit: KEYS_SEARCHED_MAX, reverse: true });
  const ids = entries.map(keyIdOf);
  if (ids.length === 0) return { found: [], unreadable: [] };
  const rows = ids.map((id) => ({ kind: 'api-key', id }));
  const reading = await readAggregate(store, aggregate, organizationDocumentSchema, rows);
  const keys = keepFound(
    reading.rows('api-key', ids, apiKeyDocumentSchema),
    ({ id, document: { name, last4 } }) => matches(id, name) || last4 === text,
  );
  return mapFound(keys, ({ id, document: { name, createdAt } }) => {
    return { ...OF_NO_WORKSPACE, kind: 'key' as const, id, name, createdAt: isoTime(createdAt) };
  });
}

/** The key that an entry of the list of keys names. Its id says so as well: the entry need not be readable. */
export function keyIdOf({ id }: Pick<Row, 'id'>): string {
  return id.slice(id.indexOf(':') + 1);
}
