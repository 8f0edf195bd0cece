import type { ImportConfiguration } from '../../schemas/imports/configuration.ts';
import type { MappingDocument, PartitionDocument } from '../../schemas/imports/documents.ts';
import type { RowList, RowsQuery } from '../../schemas/imports/row-http.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { namedValues } from './artifacts.ts';
import { type LoadedImport, loadConfiguration, loadPartitions } from './load-import.ts';
import { type PreviewRow, readPreview } from './preview.ts';
import { readColumns } from './read-mapping.ts';

/** Partitions decoded for one page; a page of rare rows may be short, and its cursor leads on. */
const PARTITIONS_READ_MAX = 8;

/** Which rows of an import are asked for. `contains`: in one of the mapped cells, upper and lower case alike. */
export interface RowsAsked extends RowsQuery {
  readonly contains?: string;
}

/** One page of an import's rows in file order. The cursor is the last row looked at. */
export async function previewRows(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  query: RowsAsked,
): Promise<RowList> {
  const { installationId } = workspace;
  const [configuration, partitions, mapping] = await Promise.all([
    loadConfiguration(services, workspace, loaded.document),
    loadPartitions(services, workspace, loaded),
    query.contains === undefined ? null : readColumns(services, installationId, loaded),
  ]);
  const holdsText = textFinder(query.contains, mapping);
  const after = Number(query.cursor ?? 0);
  const ahead = partitions.filter((partition) => lastRow(partition) > after && mayHold(partition, query));
  const found: PreviewRow[] = [];
  for (const partition of ahead.slice(0, PARTITIONS_READ_MAX)) {
    const rows = await readPreview(services, installationId, loaded, partition);
    found.push(...rows.filter((row) => row.row > after && matches(row, query) && holdsText(row)));
    if (found.length > query.limit) break;
  }
  const page = found.slice(0, query.limit);
  return {
    rows: page.map((row) => rowAnswer(row, configuration)),
    nextCursor: nextCursor(page, found, ahead),
  };
}

/** The start of the next page: after the last row shown, or after the partitions that were read. */
function nextCursor(
  page: readonly PreviewRow[],
  found: readonly PreviewRow[],
  ahead: readonly PartitionDocument[],
): string | null {
  if (found.length > page.length) return String(page.at(-1)?.row ?? 0);
  const unread = ahead[PARTITIONS_READ_MAX];
  return unread === undefined ? null : String(unread.range.firstRow - 1);
}

function lastRow({ range }: PartitionDocument): number {
  return range.firstRow + range.rows - 1;
}

/** True if the partition may have a row that is asked for, by its counts. */
function mayHold({ outcome }: PartitionDocument, { filter, field, code }: RowsQuery): boolean {
  if (outcome === null) return false;
  if (filter === 'valid' && outcome.valid === 0) return false;
  if (filter === 'invalid' && outcome.invalid === 0) return false;
  if (field === undefined && code === undefined) return true;
  return outcome.errorCounts.some((count) => isAbout(count, { field, code }));
}

function matches({ values, errors, omitted }: PreviewRow, { filter, field, code }: RowsQuery): boolean {
  if (filter === 'valid' && values === null) return false;
  if (filter === 'invalid' && values !== null) return false;
  if (field === undefined && code === undefined) return true;
  return (
    errors.some((error) => isAbout(error, { field, code })) ||
    omitted.some(([column, omittedCode]) => isAbout({ column, code: omittedCode }, { field, code }))
  );
}

/** A test for a text in a mapped cell of a row; without a text each row passes. */
function textFinder(
  contains: string | undefined,
  mapping: MappingDocument | null,
): (row: Pick<PreviewRow, 'cells'>) => boolean {
  if (contains === undefined) return () => true;
  const wanted = contains.toLowerCase();
  const mapped = new Set(mapping?.columns.map(({ index }) => index));
  return ({ cells }) =>
    cells?.some((cell, index) => mapped.has(index) && cell.toLowerCase().includes(wanted)) ?? false;
}

function isAbout(
  error: { readonly column: string | null; readonly code: string },
  { field, code }: Pick<RowsQuery, 'field' | 'code'>,
): boolean {
  return (field === undefined || error.column === field) && (code === undefined || error.code === code);
}

function rowAnswer(
  { row, line, cells, values, errors, omitted }: PreviewRow,
  { schema }: ImportConfiguration,
): RowList['rows'][number] {
  return {
    row,
    line,
    source: cells === null ? null : [...cells],
    values: values === null ? null : namedValues(schema.fields, values),
    errors: errors.map(({ column, code, message }) => ({ column, code, message })),
    moreErrors: omitted.length,
  };
}
