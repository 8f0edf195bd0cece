import type { Field } from '../../schemas/imports/configuration.ts';
import type { MappingDocument } from '../../schemas/imports/documents.ts';
import { FIELD_TYPES } from '../../schemas/imports/fields/registry.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../http/services.ts';
import { type SpreadsheetCell, spreadsheetCsv } from '../http/spreadsheet-csv.ts';
import { type LoadedImport, loadConfiguration, loadPartitions } from './load-import.ts';
import { type PreviewRow, readPreview } from './preview.ts';
import { readColumns } from './read-mapping.ts';
import { sourceHeader } from './source-header.ts';

/** Spreadsheets take a file without it for the local code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The columns before those of the file, with a prefix. */
const OWN_COLUMNS = ['row', 'line', 'errors'] as const;
const OWN_PREFIX = 'svc';

/**
 * Returns the rejected rows of an import for correction in a spreadsheet: position, errors, and the cells of the file,
 * escaped so that none runs as a formula. The result is a file that can be uploaded.
 */
export async function rejectedRowsCsv(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
): Promise<string> {
  const { installationId } = workspace;
  const [partitions, header, mapping, configuration] = await Promise.all([
    loadPartitions(services, workspace, loaded),
    sourceHeader(services, installationId, loaded),
    readColumns(services, installationId, loaded),
    loadConfiguration(services, workspace, loaded.document),
  ]);
  const numeric = numericColumns(mapping, configuration.schema.fields);
  const parts = [BYTE_ORDER_MARK, spreadsheetCsv([[...ownColumns(header ?? []), ...(header ?? [])]])];
  for (const partition of partitions.filter(({ outcome }) => outcome !== null && outcome.invalid > 0)) {
    const rows = await readPreview(services, installationId, loaded, partition);
    const rejected = rows.filter(({ values }) => values === null);
    parts.push(spreadsheetCsv(rejected.map((row) => rowCells(row, numeric))));
  }
  return parts.join('');
}

/** The names of our columns, with the first number behind the prefix that gives names the file does not have. */
function ownColumns(header: readonly string[]): string[] {
  for (let number = 1; number <= header.length; number += 1) {
    const names = ownNames(number);
    if (!names.some((name) => header.includes(name))) return names;
  }
  // Each number before was taken by another column of the header, so this one is free.
  return ownNames(header.length + 1);
}

function ownNames(number: number): string[] {
  return OWN_COLUMNS.map((name) => `${OWN_PREFIX}${number === 1 ? '' : number}_${name}`);
}

/** Positions of the columns that hold numbers. */
function numericColumns(
  mapping: MappingDocument | null,
  fields: readonly Field[],
): ReadonlySet<number | null> {
  const numbers = fields
    .filter((field) => FIELD_TYPES.typeOf(field).documentation.isNumber)
    .map(({ key }) => key);
  const columns = mapping?.columns ?? [];
  return new Set(columns.filter(({ target }) => numbers.includes(target)).map(({ index }) => index));
}

function rowCells(
  { row, line, errors, omitted, cells }: PreviewRow,
  numeric: ReadonlySet<number | null>,
): SpreadsheetCell[] {
  const faults = errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
  if (omitted.length > 0) faults.push(`${omitted.length} more`);
  const own = (cells ?? []).map((cell, index) =>
    numeric.has(index) && PLAIN_NUMBER.test(cell) ? { number: cell } : cell,
  );
  return [row, line, faults.join('; '), ...own];
}

/** A number that no spreadsheet takes for a formula, its sign included. */
const PLAIN_NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;
