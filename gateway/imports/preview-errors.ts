import type { MappingDocument, PartitionDocument } from '../../schemas/imports/documents.ts';
import type { RowError } from '../../schemas/imports/file-faults.ts';
import type { ListQuery } from '../../schemas/imports/http.ts';
import type { ErrorList } from '../../schemas/imports/row-http.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { type LoadedImport, loadPartitions } from './load-import.ts';
import { type PreviewRow, readPreview } from './preview.ts';
import { readColumns } from './read-mapping.ts';
import { sourceHeader } from './source-header.ts';

type ErrorEntry = ErrorList['errors'][number];

/**
 * One page of an import's row errors in file order, with the header name and the cell that each is about. Only the first
 * ones of the file are listed; all are counted. The cursor is the number of errors passed.
 */
export async function previewErrors(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  { cursor, limit }: ListQuery,
): Promise<ErrorList> {
  const { installationId } = workspace;
  const [partitions, header, mapping] = await Promise.all([
    loadPartitions(services, workspace, loaded),
    sourceHeader(services, installationId, loaded),
    readColumns(services, installationId, loaded),
  ]);
  const counts = loaded.effective.validation?.errorCounts ?? [];
  const total = sum(counts);
  const from = Number(cursor ?? 0);
  const to = Math.min(from + limit, services.limits.imports.rowErrorsKept, total);
  const errors: ErrorEntry[] = [];
  for (const { partition, first } of withFirst(partitions)) {
    if (first + errorsOf(partition) <= from || first >= to) continue;
    const rows = await readPreview(services, installationId, loaded, partition);
    const entries = rows.flatMap((row) => row.errors.map((error) => errorEntry(row, error, header, mapping)));
    errors.push(...entries.slice(Math.max(0, from - first), to - first));
  }
  const last = Math.min(services.limits.imports.rowErrorsKept, total);
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
