import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { importDocumentSchema, timelineDocumentSchema } from '../../schemas/imports/documents.ts';
import { credentialDocumentSchema } from '../../schemas/workspaces/documents.ts';
import type { Inventory, VerifiedResult } from '../../schemas/workspaces/http.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readImportsRoot } from '../imports/import-limits.ts';
import { workspaceAggregate } from './load-workspace.ts';

/** What is in a workspace, and who holds which credential. */
export interface WorkspaceContents {
  readonly inventory: Inventory;
  /** Newest first. */
  readonly results: VerifiedResult[];
  readonly credentials: { credentialId: string; last4: string; lastUsedAt: string | null }[];
}

type Reader = Pick<Store, 'read' | 'list'>;

/** More credentials than a workspace can have (contract "People"). */
const CREDENTIALS_LISTED_MAX = 100;

/** How many of the latest imports are looked through for results. */
const IMPORTS_LISTED_MAX = 20;

/** Reads what a person sees before attaching or claiming a workspace. */
export async function workspaceContents(store: Reader, installationId: string): Promise<WorkspaceContents> {
  const [imports, results, credentials] = await Promise.all([
    readImportsRoot(store, installationId),
    importResults(store, installationId),
    liveCredentials(store, installationId),
  ]);
  const inventory = { importSchemas: imports.schemasMade, imports: imports.importsMade };
  return { inventory, results, credentials };
}

/** The imports whose every row was found valid: they reached `ready` (contract B "Claiming"). */
async function importResults(store: Reader, installationId: string): Promise<VerifiedResult[]> {
  const aggregate: AggregateRef = { table: 'imports', id: installationId };
  const timeline = await store.list(aggregate, 'timeline', { limit: IMPORTS_LISTED_MAX, reverse: true });
  const ids = timeline.map(({ document }) => timelineDocumentSchema.parse(document).importId);
  const { rows } = await store.read(
    aggregate,
    ids.map((id) => ({ kind: 'import', id })),
  );
  return ids.flatMap((id) => {
    const row = rows.find((found) => found.id === id);
    if (row === undefined) return [];
    const { source, validation, approvals } = importDocumentSchema.parse(row.document);
    const reached = approvals.length > 0 || (validation !== null && validation.digest !== null);
    return reached && source !== null ? [{ kind: 'import', id, at: isoTime(source.uploadedAt) }] : [];
  });
}

async function liveCredentials(store: Reader, installationId: string) {
  const rows = await store.list(workspaceAggregate(installationId), 'credential', {
    limit: CREDENTIALS_LISTED_MAX,
  });
  return rows
    .map(({ id, document }) => ({ id, credential: credentialDocumentSchema.parse(document) }))
    .filter(({ credential }) => credential.revokedAt === null)
    .map(({ id, credential }) => ({
      credentialId: id,
      last4: credential.lastFour,
      lastUsedAt: isoTimeOrNull(credential.lastUsedAt),
    }));
}
