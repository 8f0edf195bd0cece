import type { JsonObject } from '../../schemas/base/json.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { mapCounters, PRODUCTS } from '../../schemas/products.ts';
import type { ClaimEvidence } from '../../schemas/workspaces/claim-evidence.ts';
import {
  type CredentialDocument,
  credentialDocumentSchema,
  type WorkspaceDocument,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import {
  type CredentialAnswer,
  type Inventory,
  inventorySchema,
  type VerifiedResult,
} from '../../schemas/workspaces/http.ts';
import type { Store } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import {
  keepFound,
  mapFound,
  type Readings,
  type ReadRow,
  readEach,
  type Unreadable,
} from '../http/records/readings.ts';
import type { GatewayServices, SeenResult } from '../services.ts';
import { workspaceAggregate } from './load-workspace.ts';
import { readProducts } from './read-products.ts';

/** The content of a workspace: counts of resources, verified results and live credentials. */
export interface WorkspaceContents {
  readonly inventory: Inventory;
  /** Newest first. */
  readonly results: VerifiedResult[];
  /** Oldest first. */
  readonly credentials: CredentialAnswer[];
}

interface ReadContents {
  readonly contents: WorkspaceContents;
  /** Imports, credentials and products that cannot be read: they are not in the contents. */
  readonly unreadable: readonly Unreadable[];
}

type Reader = Pick<Store, 'read' | 'list'>;

type Services = Pick<GatewayServices, 'products'> & { readonly store: Reader };

/** Reads the content that a person sees before attaching or claiming a workspace, and that its owner sees. */
export async function workspaceContents(
  services: Services & Pick<GatewayServices, 'clock'>,
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'firstCredentialId' | 'extraCredentialIds'>,
): Promise<ReadContents> {
  const { store, clock } = services;
  const [inventory, results, credentials] = await Promise.all([
    readInventory(services, installationId),
    verifiedResults(services, installationId),
    liveCredentials(store, installationId, workspace),
  ]);
  const now = clock.now();
  const unreadable = [inventory, results, credentials].flatMap((part) => part.unreadable);
  return {
    contents: {
      inventory: inventorySchema.parse({ ...NO_INVENTORY, ...Object.fromEntries(inventory.found.flat()) }),
      results: results.found.map(({ rows = null, ...result }) => ({
        ...result,
        at: isoTime(result.at),
        rows,
      })),
      credentials: credentials.found.map(({ id, document }) => credentialAnswer(id, document, now)),
    },
    unreadable: [...new Map(unreadable.map((each) => [each.id, each])).values()],
  };
}

const NO_INVENTORY = mapCounters(() => 0);

/** The results that a claim may rest on, newest first (infra/docs/reference/workspaces.md#claiming). */
export async function verifiedResults(
  services: Services,
  installationId: string,
): Promise<Readings<ClaimEvidence & Pick<SeenResult, 'rows'>>> {
  const { found, unreadable } = await readProducts(services.products, async ({ name, readResults }) => {
    const kind = PRODUCTS.find((each) => each.name === name)?.verifiedResult.kind;
    if (kind === undefined) return { found: [], unreadable: [] };
    return mapFound(await readResults(services, installationId), (result) => ({ kind, ...result }));
  });
  return { found: found.toSorted((left, right) => right.at - left.at), unreadable };
}

/** The counts of the roots of all products, by name; zeros where there is no root. */
async function readInventory({ store }: Services, installationId: string) {
  return await readEach(
    PRODUCTS,
    ({ name }) => name,
    async ({ topic, root: { schema, empty }, counters }) => {
      const { root } = await readAggregate<JsonObject>(store, { table: topic, id: installationId }, schema);
      const members: JsonObject = root ?? empty;
      return Object.entries(counters).map(([name, { member }]) => [name, members[member]] as const);
    },
  );
}

async function liveCredentials(
  store: Reader,
  installationId: string,
  { firstCredentialId, extraCredentialIds }: Parameters<typeof workspaceContents>[2],
): Promise<Readings<ReadRow<CredentialDocument>>> {
  const ids = firstCredentialId === null ? extraCredentialIds : [firstCredentialId, ...extraCredentialIds];
  const rows = ids.map((id) => ({ kind: 'credential', id }));
  const reading = await readAggregate(store, workspaceAggregate(installationId), workspaceRootSchema, rows);
  const credentials = reading.rows('credential', ids, credentialDocumentSchema);
  return keepFound(credentials, ({ document }) => document.revokedAt === null);
}

function credentialAnswer(
  credentialId: string,
  { name, lastFour, createdAt, lastUsedAt, previous }: CredentialDocument,
  now: number,
): CredentialAnswer {
  const overlapEndsAt = previous !== null && now < previous.endsAt ? previous.endsAt : null;
  return {
    credentialId,
    name,
    last4: lastFour,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
    overlapEndsAt: isoTimeOrNull(overlapEndsAt),
  };
}
