import { isoTime } from '../../../schemas/base/time.ts';
import { hasProduct } from '../../../schemas/products.ts';
import {
  MATCH_KINDS,
  MATCHES_MAX,
  type Match,
  searchAnswerSchema,
  searchQuerySchema,
} from '../../../schemas/workspaces/overview.ts';
import { effectiveState } from '../../../schemas/workspaces/state.ts';
import { member } from '../../audiences.ts';
import { joined, mapFound, type Readings, readEach } from '../../http/records/readings.ts';
import { findKeys } from '../../keys/find-keys.ts';
import type { FoundResource, GatewayServices, Search } from '../../services.ts';
import { workspaceView } from '../load-workspace.ts';
import { readProducts } from '../read-products.ts';
import { readAttached, workspaceIdOf } from './list-workspaces.ts';

/** The number of latest workspaces that a search looks into. At most ten of them are claimed; the others end by themselves. */
const WORKSPACES_SEARCHED_MAX = 50;

/** The fewest characters of an id's beginning: fewer say hardly more than its kind. */
const ID_CHARACTERS_MIN = 6;

export const searchRoute = member.get('/search', {
  name: 'searchOrganization',
  summary: "Find the organization's resources by name or id",
  description:
    'Finds workspaces, API keys, checklists, import schemas and imports by a part of the name or by id. It looks into the 50 latest workspaces, the 100 latest keys and the 20 latest imports of each workspace.',
  query: searchQuerySchema,
  success: { status: 200, schema: searchAnswerSchema, description: 'The matches' },
  async handle({ principal, query, services }) {
    const { organizationId, role } = principal;
    const search = searchFor(query.text, role !== 'member');
    const timeline = await services.store.list({ table: 'organizations', id: organizationId }, 'timeline', {
      limit: WORKSPACES_SEARCHED_MAX + 1,
      reverse: true,
    });
    const ids = timeline.map(workspaceIdOf);
    const [keys, workspaces] = await Promise.all([
      findKeys(services, organizationId, search),
      readEach(ids.slice(0, WORKSPACES_SEARCHED_MAX), String, (workspaceId) =>
        searchWorkspace(services, workspaceId, organizationId, search),
      ),
    ]);
    const { found, unreadable } = joined([keys, ...workspaces.found, { ...workspaces, found: [] }]);
    const matches = found.toSorted(
      (left, right) => MATCH_KINDS.indexOf(left.kind) - MATCH_KINDS.indexOf(right.kind),
    );
    const more = matches.length > MATCHES_MAX || ids.length > WORKSPACES_SEARCHED_MAX;
    return { body: { matches: matches.slice(0, MATCHES_MAX), more }, unreadable };
  },
});

/** The search for a text: in names without regard to case, and at the beginning of ids. */
function searchFor(text: string, showsPrivate: boolean): Search {
  const wanted = text.trim();
  const part = wanted.toLowerCase();
  const isLikeId = wanted.length >= ID_CHARACTERS_MIN;
  return {
    text: wanted,
    showsPrivate,
    matches: (id, name) => name.toLowerCase().includes(part) || (isLikeId && id.startsWith(wanted)),
  };
}

async function searchWorkspace(
  services: GatewayServices,
  workspaceId: string,
  organizationId: string,
  search: Search,
): Promise<Readings<Match>> {
  const attached = await readAttached(services.store, workspaceId, organizationId);
  if (attached === null) return { found: [], unreadable: [] };
  const { installationId, workspace } = attached;
  const { name, createdAt, products } = workspace;
  const view = workspaceView(installationId, workspace);
  const enabled = services.products.filter((product) => hasProduct(products, product.name));
  const resources = await readProducts(enabled, ({ findResources }) =>
    findResources?.(services, view, search),
  );
  const own: FoundResource[] =
    search.matches(workspaceId, name) || search.matches(installationId, '')
      ? [{ kind: 'workspace', id: workspaceId, name, createdAt }]
      : [];
  const found = { ...resources, found: [...own, ...resources.found] };
  return mapFound(found, (match) => ({
    kind: match.kind,
    id: match.id,
    name: match.name,
    createdAt: isoTime(match.createdAt),
    workspaceId,
    workspaceName: name,
    workspaceState: effectiveState(workspace, services.clock.now()),
    importState: match.importState ?? null,
    revision: match.revision ?? null,
  }));
}
