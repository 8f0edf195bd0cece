import type { MappingDocument, PartitionDocument } from '../../schemas/imports/documents.ts';
import type { RowError } from '../../schemas/imports/file-faults.ts';
import type { ListQuery } from '../../schemas/imports/http.ts';
import type { ErrorList, ErrorPlaces } from '../../schemas/imports/row-http.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { type LoadedImport, loadPartitions } from './load-import.ts';
import { type PreviewRow, readKeptErrors, readPreview } from './preview.ts';
import { readColumns } from './read-mapping.ts';
import { sourceHeader } from './source-header.ts';

type ErrorEntry = ErrorList['errors'][number];

/** One page of an import's row errors, with the header name and the cell that each is about. */
export async function previewErrors(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  query: ListQuery,
): Promise<ErrorList> {
  const { installationId } = workspace;
  const [header, mapping] = await Promise.all([
    sourceHeader(services, installationId, loaded),
    readColumns(services, installationId, loaded),
  ]);
  return await errorPage(services, workspace, loaded, query, async (partition) => {
    const rows = await readPreview(services, installationId, loaded, partition);
    return rows.flatMap((row) => row.errors.map((error) => errorEntry(row, error, header, mapping)));
  });
}

/** One page of the places of an import's row errors. It reads nothing of the file. */
export async function readErrorPlaces(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  query: ListQuery,
): Promise<ErrorPlaces> {
  return await errorPage(services, workspace, loaded, query, async (partition) => {
    const { errors } = await readKeptErrors(services, workspace.installationId, loaded, partition);
    return errors.map(({ row, line, column, code, message }) => ({ row, line, column, code, message }));
  });
}

/**
 * One page of an import's row errors in file order. Only the first ones of the file are listed; all are counted. The cursor
 * is the number of errors passed.
 */
async function errorPage<Entry>(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  { cursor, limit }: ListQuery,
  read: (partition: PartitionDocument) => Promise<Entry[]>,
) {
  const counts = loaded.effective.validation?.errorCounts ?? [];
  const total = sum(counts);
  const last = Math.min(services.limits.imports.rowErrorsKept, total);
  const from = Number(cursor ?? 0);
  const to = Math.min(from + limit, last);
  const errors: Entry[] = [];
  for (const { partition, first } of withFirst(await loadPartitions(services, workspace, loaded))) {
    if (first + errorsOf(partition) <= from || first >= to) continue;
    const entries = await read(partition);
    errors.push(...entries.slice(Math.max(0, from - first), to - first));
  }
  return { errors, counts: [...counts], total, nextCursor: to < last ? String(to) : null };
}

/** Partitions with the number of errors before each. */
function withFirst(partitions: readonly PartitionDocument[]) {
  let first = 0;
  return partitions.map((partition) => {
    const entry = { partition, first };
    first += errorsOf(partition);
    return entry;
  });
}

function errorsOf({ outcome }: PartitionDocument): number {
  return sum(outcome?.errorCounts ?? []);
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function errorEntry(
  { row, line, cells }: PreviewRow,
  { column, code, message }: RowError,
  header: readonly string[] | null,
  mapping: MappingDocument | null,
): ErrorEntry {
  const index = mapping?.columns.find(({ target }) => target === column)?.index ?? null;
  const source = index === null ? null : (header?.[index] ?? null);
  const value = index === null ? null : (cells?.[index] ?? null);
  return { row, line, column, source, value, code, message };
}
