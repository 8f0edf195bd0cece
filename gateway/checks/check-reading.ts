import {
  type ChecksRoot,
  checksRootSchema,
  EMPTY_CHECKS_ROOT,
  type OriginDocument,
  originDocumentSchema,
  type ProfileDocument,
  profileDocumentSchema,
  RUNS_ROW_ID,
  type RunDocument,
  type RunsDocument,
  runDocumentSchema,
  runsDocumentSchema,
  type SuiteDocument,
  suiteDocumentSchema,
} from '../../schemas/checks/documents.ts';
import type { AggregateRef, RowKey } from '../../topics/ports/store.ts';
import { type AggregateReading, readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';

type Reader = Pick<GatewayServices['store'], 'read'>;
type Lister = { readonly store: Pick<GatewayServices['store'], 'read' | 'list'> };

/** Suites that are listed: more than a plan allows. */
const SUITES_LISTED_MAX = 100;

/** Access profiles that are listed: more than an installation may have by default. */
const PROFILES_LISTED_MAX = 100;

function checksAggregate(installationId: string): AggregateRef {
  return { table: 'checks', id: installationId };
}

/** Some rows of an installation's browser checks, as of one moment. */
function readChecks(
  store: Reader,
  installationId: string,
  rows: readonly RowKey[],
): Promise<AggregateReading<ChecksRoot>> {
  return readAggregate(store, checksAggregate(installationId), checksRootSchema, rows);
}

/** The counts of an installation's browser checks; zeros before there is anything to count. */
export async function readChecksRoot(store: Reader, installationId: string): Promise<ChecksRoot> {
  const { root } = await readChecks(store, installationId, []);
  return root ?? EMPTY_CHECKS_ROOT;
}

/** One origin, or null if the installation has no such origin. */
export async function findOrigin(
  store: Reader,
  installationId: string,
  originId: string,
): Promise<OriginDocument | null> {
  const { row } = await readChecks(store, installationId, [{ kind: 'origin', id: originId }]);
  return row('origin', originId, originDocumentSchema);
}

/** The origins of an installation, newest first. */
export async function listOrigins({ store }: Lister, installationId: string) {
  const { origins } = await readChecksRoot(store, installationId);
  const rows = origins.map(({ originId }) => ({ kind: 'origin', id: originId }));
  const { row } = await readChecks(store, installationId, rows);
  return origins.toReversed().flatMap(({ originId }) => {
    const document = row('origin', originId, originDocumentSchema);
    return document === null ? [] : [{ originId, document }];
  });
}

/** The suites of an installation, newest first. */
export async function listSuites(
  { store }: Lister,
  installationId: string,
): Promise<{ readonly suiteId: string; readonly document: SuiteDocument }[]> {
  const rows = await store.list(checksAggregate(installationId), 'suite', { limit: SUITES_LISTED_MAX });
  return rows
    .map(({ id, document }) => ({ suiteId: id, document: suiteDocumentSchema.parse(document) }))
    .sort((left, right) => right.document.createdAt - left.document.createdAt);
}

/** The access profiles of an installation, newest first. */
export async function listProfiles(
  { store }: Lister,
  installationId: string,
): Promise<{ readonly accessProfileId: string; readonly document: ProfileDocument }[]> {
  const rows = await store.list(checksAggregate(installationId), 'profile', { limit: PROFILES_LISTED_MAX });
  return rows
    .map(({ id, document }) => ({ accessProfileId: id, document: profileDocumentSchema.parse(document) }))
    .sort((left, right) => right.document.createdAt - left.document.createdAt);
}

/** The ids of all runs of an installation with those of their suites, newest first. */
export async function listRunIds(
  { store }: { readonly store: Reader },
  installationId: string,
): Promise<RunsDocument['runs']> {
  const { row } = await readChecks(store, installationId, [{ kind: 'runs', id: RUNS_ROW_ID }]);
  return row('runs', RUNS_ROW_ID, runsDocumentSchema)?.runs ?? [];
}

/** A run with its id. */
export interface FoundRun {
  readonly runId: string;
  readonly run: RunDocument;
}

/** Runs as they are stored, in the order of their ids, without those that do not exist. */
export async function findRuns(
  { store }: { readonly store: Reader },
  installationId: string,
  runIds: readonly string[],
): Promise<FoundRun[]> {
  if (runIds.length === 0) return [];
  const { row } = await readChecks(
    store,
    installationId,
    runIds.map((id) => ({ kind: 'run', id })),
  );
  return runIds.flatMap((runId): FoundRun[] => {
    const run = row('run', runId, runDocumentSchema);
    return run === null ? [] : [{ runId, run }];
  });
}
