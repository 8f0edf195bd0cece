import type { JsonObject } from '../../schemas/base/json.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { PRODUCTS } from '../../schemas/products.ts';
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
import type { GatewayServices, SeenResult } from '../services.ts';
import { workspaceAggregate } from './load-workspace.ts';

/** The content of a workspace: counts of resources, verified results and live credentials. */
export interface WorkspaceContents {
  readonly inventory: Inventory;
  /** Newest first. */
  readonly results: VerifiedResult[];
  /** Oldest first. */
  readonly credentials: CredentialAnswer[];
}

type Reader = Pick<Store, 'read' | 'list'>;

type Services = Pick<GatewayServices, 'products'> & { readonly store: Reader };

/** Reads the content that a person sees before attaching or claiming a workspace, and that its owner sees. */
export async function workspaceContents(
  services: Services & Pick<GatewayServices, 'clock'>,
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'firstCredentialId' | 'extraCredentialIds'>,
): Promise<WorkspaceContents> {
  const { store, clock } = services;
  const [inventory, results, credentials] = await Promise.all([
    readInventory(store, installationId),
    verifiedResults(services, installationId),
    liveCredentials(store, installationId, workspace),
  ]);
  const now = clock.now();
  return {
    inventory,
    results: results.map(({ rows = null, ...result }) => ({ ...result, at: isoTime(result.at), rows })),
    credentials: credentials.map(([id, credential]) => credentialAnswer(id, credential, now)),
  };
}

/** The results that a claim may rest on, newest first (infra/docs/reference/workspaces.md#claiming). */
export async function verifiedResults(
  services: Services,
  installationId: string,
): Promise<(ClaimEvidence & Pick<SeenResult, 'rows'>)[]> {
  const results = await Promise.all(
    PRODUCTS.map(async ({ name, verifiedResult: { kind } }) => {
      const product = services.products.find((each) => each.name === name);
      const seen = (await product?.readResults(services, installationId)) ?? [];
      return seen.map((result) => ({ kind, ...result }));
    }),
  );
  return results.flat().sort((left, right) => right.at - left.at);
}

/** The counts of the roots of all products; zeros where there is no root. */
async function readInventory(store: Reader, installationId: string): Promise<Inventory> {
  const counted = await Promise.all(
    PRODUCTS.map(async ({ topic, root: { schema, empty }, counters }) => {
      const { root } = await readAggregate<JsonObject>(store, { table: topic, id: installationId }, schema);
      const members: JsonObject = root ?? empty;
      return Object.entries(counters).map(([name, { member }]) => [name, members[member]]);
    }),
  );
  return inventorySchema.parse(Object.fromEntries(counted.flat()));
}

async function liveCredentials(
  store: Reader,
  installationId: string,
  { firstCredentialId, extraCredentialIds }: Parameters<typeof workspaceContents>[2],
): Promise<[string, CredentialDocument][]> {
  const ids = firstCredentialId === null ? extraCredentialIds : [firstCredentialId, ...extraCredentialIds];
  const rows = ids.map((id) => ({ kind: 'credential', id }));
  const { row } = await readAggregate(store, workspaceAggregate(installationId), workspaceRootSchema, rows);
  return ids.flatMap((id): [string, CredentialDocument][] => {
    const credential = row('credential', id, credentialDocumentSchema);
    return credential === null || credential.revokedAt !== null ? [] : [[id, credential]];
  });
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
