import { STEP_CHARACTERS } from '../fix/steps.ts';
import type { ChosenColumn, WrittenColumn } from './apply.ts';
import type { Edit, Edits } from './edits.ts';
import type { Reading } from './values.ts';

/**
 * A kind of change with its counts, for the reservation of an import: cells that a reading wrote in another form, words for nothing
 * that became empty, cells that a person wrote or replaced, rows that were left out. It has neither a value nor a name of a column of
 * the file.
 */
export interface ValueChange {
  readonly kind: Exclude<Reading['kind'], 'same'> | 'empty' | Edit['kind'];
  /** The key of the field; absent for rows, and for counts of several columns together. */
  readonly column?: string;
  readonly cells?: number;
  readonly rows?: number;
}

/** Changes that a reservation may name. */
export const CHANGES_MAX = 200;

/** Kinds that are counted over all columns once there are too many changes. */
const COMBINED: readonly ValueChange['kind'][] = ['edit', 'replace', 'empty'];

/** The characters for which a cell counts. */
const CELL_CHARACTERS = 16;

/**
 * Counts what differs between the cells of the file and those that will be sent. Rows that are left out count only as rows.
 *
 * @param written the columns as `applyReadings` wrote them, in the same order
 */
export function* changesOf(
  columns: readonly ChosenColumn[],
  written: readonly WrittenColumn[],
  edits: Edits,
): Generator<void, ValueChange[]> {
  const changes: ValueChange[] = [];
  for (const [at, column] of columns.entries()) {
    const sent = written[at];
    if (sent !== undefined) changes.push(...(yield* changesIn(column, sent, edits)));
  }
  const rows = edits.leftOut.size;
  if (rows > 0) changes.push({ kind: 'leave_out', rows });
  return changes.length > CHANGES_MAX ? combined(changes) : changes;
}

function* changesIn(column: ChosenColumn, sent: WrittenColumn, edits: Edits): Generator<void, ValueChange[]> {
  const counts = new Map<ValueChange['kind'], number>();
  for (const [row, cell] of column.cells.entries()) {
    if (row % (STEP_CHARACTERS / CELL_CHARACTERS) === 0) yield;
    const text = edits.textOf(sent, row);
    if (text === cell || edits.isLeftOut(row)) continue;
    const own = text === '' ? 'empty' : column.reading.kind;
    const kind = edits.correctionOf(sent.target, row)?.kind ?? own;
    if (kind !== 'same') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, cells]) => ({ kind, column: column.target, cells }));
}

/** Counts small kinds over all columns, so that at most one change for each column and a few more are left. */
function combined(changes: readonly ValueChange[]): ValueChange[] {
  const sums = COMBINED.map((kind): ValueChange => {
    const own = changes.filter((change) => change.kind === kind);
    return { kind, cells: own.reduce((sum, { cells = 0 }) => sum + cells, 0) };
  });
  const others = changes.filter(({ kind }) => !COMBINED.includes(kind));
  return [...others, ...sums.filter(({ cells }) => cells !== 0)];
}
