import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { importDocumentSchema, timelineDocumentSchema } from '../../schemas/imports/documents.ts';
import type { ClaimEvidence } from '../../schemas/workspaces/claim-evidence.ts';
import {
  type CredentialDocument,
  credentialDocumentSchema,
  type WorkspaceDocument,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import type { CredentialAnswer, Inventory, VerifiedResult } from '../../schemas/workspaces/http.ts';
import type { AggregateRef, Store } from '../../topics/ports/store.ts';
import { readActivateRoot } from '../activate/checklist-reading.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { readImportsRoot } from '../imports/import-limits.ts';
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

/** The number of latest imports that are searched for results. */
const IMPORTS_LISTED_MAX = 20;

/** Reads the content that a person sees before attaching or claiming a workspace, and that its owner sees. */
export async function workspaceContents(
  { store, clock }: Pick<GatewayServices, 'clock'> & { readonly store: Reader },
  installationId: string,
  workspace: Pick<WorkspaceDocument, 'firstCredentialId' | 'extraCredentialIds'>,
): Promise<WorkspaceContents> {
  const [imports, activate, results, credentials] = await Promise.all([
    readImportsRoot(store, installationId),
    readActivateRoot(store, installationId),
    verifiedResults(store, installationId),
    liveCredentials(store, installationId, workspace),
  ]);
  const inventory = {
    importSchemas: imports.schemasMade,
    imports: imports.importsMade,
    checklists: activate.checklistsMade,
    enrollments: activate.enrollmentsMade,
  };
  const now = clock.now();
  return {
    inventory,
    results: results.map((result) => ({ ...result, at: isoTime(result.at) })),
    credentials: credentials.map(([id, credential]) => credentialAnswer(id, credential, now)),
  };
}

/**
 * The results that a claim may rest on, newest first: imports in which every row is valid, and the checklist of the latest
 * accepted event (infra/docs/reference/workspaces.md#claiming).
 */
export async function verifiedResults(store: Reader, installationId: string): Promise<ClaimEvidence[]> {
  const [imports, { lastEvent }] = await Promise.all([
    validImports(store, installationId),
    readActivateRoot(store, installationId),
  ]);
  const checklists: ClaimEvidence[] =
    lastEvent === null ? [] : [{ kind: 'checklist', id: lastEvent.checklistId, at: lastEvent.at }];
  return [...imports, ...checklists].sort((left, right) => right.at - left.at);
}

async function validImports(store: Reader, installationId: string): Promise<ClaimEvidence[]> {
  const aggregate: AggregateRef = { table: 'imports', id: installationId };
  const timeline = await store.list(aggregate, 'timeline', { limit: IMPORTS_LISTED_MAX, reverse: true });
  const ids = timeline.map(({ document }) => timelineDocumentSchema.parse(document).importId);
  const { rows } = await store.read(
    aggregate,
    ids.map((id) => ({ kind: 'import', id })),
  );
  return ids.flatMap((id): ClaimEvidence[] => {
    const row = rows.find((found) => found.id === id);
    if (row === undefined) return [];
    const { source, validation, approvals } = importDocumentSchema.parse(row.document);
    const reached = approvals.length > 0 || (validation !== null && validation.digest !== null);
    return reached && source !== null ? [{ kind: 'import', id, at: source.uploadedAt }] : [];
  });
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
