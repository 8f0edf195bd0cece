import { type OriginDocument, RUNS_ROW_ID, type RunDocument } from '../../schemas/checks/documents.ts';
import { checksProduct } from '../../schemas/checks/product.ts';
import { productReader } from '../http/records/product-reader.ts';
import type { GatewayServices } from '../services.ts';

type Reader = { readonly store: Pick<GatewayServices['store'], 'read'> };
type Lister = { readonly store: Pick<GatewayServices['store'], 'list'> };

/** Suites that are listed: more than a plan allows. */
const SUITES_LISTED_MAX = 100;

/** Access profiles that are listed: more than an installation may have by default. */
const PROFILES_LISTED_MAX = 100;

/** The reads of installations' browser checks. */
export const checksReader = productReader(checksProduct);

/** The origins of an installation, newest first. */
export async function listOrigins({ store }: Reader, installationId: string): Promise<FoundOrigin[]> {
  const { root } = await checksReader.read(store, installationId);
  const ids = root.origins.map(({ originId }) => originId).reverse();
  const origins = await checksReader.rows(store, installationId, 'origin', ids);
  return origins.map(({ id, document }) => ({ originId: id, document }));
}

interface FoundOrigin {
  readonly originId: string;
  readonly document: OriginDocument;
}

/** The suites of an installation, newest first. */
export async function listSuites({ store }: Lister, installationId: string) {
  const rows = await checksReader.list(store, installationId, 'suite', { limit: SUITES_LISTED_MAX });
  return rows
    .map(({ id, document }) => ({ suiteId: id, document }))
    .sort((left, right) => right.document.createdAt - left.document.createdAt);
}

/** The access profiles of an installation, newest first. */
export async function listProfiles({ store }: Lister, installationId: string) {
  const rows = await checksReader.list(store, installationId, 'profile', { limit: PROFILES_LISTED_MAX });
  return rows
    .map(({ id, document }) => ({ accessProfileId: id, document }))
    .sort((left, right) => right.document.createdAt - left.document.createdAt);
}

/** The ids of all runs of an installation with those of their suites, newest first. */
export async function listRunIds({ store }: Reader, installationId: string) {
  return (await checksReader.row(store, installationId, 'runs', RUNS_ROW_ID))?.runs ?? [];
}

export interface FoundRun {
  readonly runId: string;
  readonly run: RunDocument;
}

/** Runs as they are stored, in the order of their ids, without those that do not exist. */
export async function findRuns(
  { store }: Reader,
  installationId: string,
  runIds: readonly string[],
): Promise<FoundRun[]> {
  const runs = await checksReader.rows(store, installationId, 'run', runIds);
  return runs.map(({ id, document }) => ({ runId: id, run: document }));
}
