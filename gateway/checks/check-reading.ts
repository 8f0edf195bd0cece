import { type OriginDocument, RUNS_ROW_ID, type RunDocument } from '../../schemas/checks/documents.ts';
import { checksProduct } from '../../schemas/checks/product.ts';
import { productReader } from '../http/records/product-reader.ts';
import { mapFound, type Readings } from '../http/records/readings.ts';
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
export async function listOrigins({ store }: Reader, installationId: string): Promise<Readings<FoundOrigin>> {
  const { root } = await checksReader.read(store, installationId);
  const ids = root.origins.map(({ originId }) => originId).reverse();
  const origins = await checksReader.rows(store, installationId, 'origin', ids);
  return mapFound(origins, ({ id, document }) => ({ originId: id, document }));
}

interface FoundOrigin {
  readonly originId: string;
  readonly document: OriginDocument;
}

/** The suites of an installation, newest first. */
export async function listSuites({ store }: Lister, installationId: string) {
  const rows = await checksReader.list(store, installationId, 'suite', { limit: SUITES_LISTED_MAX });
  return newestFirst(mapFound(rows, ({ id, document }) => ({ suiteId: id, document })));
}

/** The access profiles of an installation, newest first. */
export async function listProfiles({ store }: Lister, installationId: string) {
  const rows = await checksReader.list(store, installationId, 'profile', { limit: PROFILES_LISTED_MAX });
  return newestFirst(mapFound(rows, ({ id, document }) => ({ accessProfileId: id, document })));
}

function newestFirst<Each extends { readonly document: { readonly createdAt: number } }>({
  found,
  unreadable,
}: Readings<Each>): Readings<Each> {
  const sorted = found.toSorted((left, right) => right.document.createdAt - left.document.createdAt);
  return { found: sorted, unreadable };
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
): Promise<Readings<FoundRun>> {
  const runs = await checksReader.rows(store, installationId, 'run', runIds);
  return mapFound(runs, ({ id, document }) => ({ runId: id, run: document }));
}
