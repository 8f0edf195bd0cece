// The part of the import widget in which values are read and corrected before a file is sent: a module that is loaded with the file
// if a field of the schema has a type.
import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import { readTable } from '../../../schemas/imports/values/table.ts';
import type { Card } from '../card.ts';
import css from './check.css?inline';
import { CHECK_LABELS } from './check-labels.ts';
import { ERROR_LABELS } from './error-labels.ts';
import { type ChosenFile, type KeptTable, keepTable, readKept } from './kept-table.ts';
import { type TableParts, ValueTable } from './value-table.ts';

// biome-ignore lint/performance/noBarrelFile: The widget loads everything about values and errors from this one file.
export { readErrors } from '../rejected-file.ts';
export { reviewErrors } from '../review-errors.ts';

/**
 * Reads a file beside the other work of the page. Null leaves the decision about the file to the service.
 *
 * @param kept the schema and the file of the person by which the tab finds everything again after a reload; null keeps nothing
 */
export async function openTable(
  parts: TableParts,
  kept: { readonly schemaId: string; readonly chosen: ChosenFile } | null,
): Promise<ValueTable | null> {
  prepare(parts.card);
  const read = await inSlices(readTable(new Uint8Array(parts.file.bytes)), parts.signal);
  if (read === null) return null;
  const table = new ValueTable(read, parts);
  // A browser that stores nothing loses the file with the page.
  if (kept !== null) keepTable(table, parts, kept.schemaId, kept.chosen).catch(() => undefined);
  return table;
}

/** Finds the file that this tab has kept for a schema, or resolves with null. */
export async function restoreTable(
  parts: Omit<TableParts, 'file' | 'lines'>,
  schemaId: string,
): Promise<KeptTable | null> {
  prepare(parts.card);
  return await readKept(parts, schemaId).catch(() => null);
}

function prepare(card: Card): void {
  card.add({ ...CHECK_LABELS, ...ERROR_LABELS });
  card.addStyle(css);
}
