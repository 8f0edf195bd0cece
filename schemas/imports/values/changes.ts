import type { ChangeKind, CountedChange } from '../changed-texts.ts';
import { STEP_CHARACTERS } from '../fix/steps.ts';
import type { ChosenColumn, WrittenColumn } from './apply.ts';
import type { Edits } from './edits.ts';

/** Of the 200 changes that a reservation may name; the others are for those of the file as a whole. */
export const CHANGES_MAX = 160;

/** Kinds that are counted over all columns once there are too many changes. */
const COMBINED: readonly ChangeKind[] = ['edited', 'replaced', 'nothing'];

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
): Generator<void, CountedChange[]> {
  const changes: CountedChange[] = [];
  for (const [at, column] of columns.entries()) {
    const sent = written[at];
    if (sent !== undefined) changes.push(...(yield* changesIn(column, sent, edits)));
  }
  const rows = edits.leftOut.size;
  if (rows > 0) changes.push({ kind: 'rows', rows });
  return changes.length > CHANGES_MAX ? combined(changes) : changes;
}

function* changesIn(
  column: ChosenColumn,
  sent: WrittenColumn,
  edits: Edits,
): Generator<void, CountedChange[]> {
  const counts = new Map<ChangeKind, number>();
  for (const [row, cell] of column.cells.entries()) {
    if (row % (STEP_CHARACTERS / CELL_CHARACTERS) === 0) yield;
    const text = edits.textOf(sent, row);
    if (text === cell || edits.isLeftOut(row)) continue;
    const { kind: reading } = column.reading;
    const own = text === '' ? 'nothing' : reading === 'same' ? null : (`${reading}s` as const);
    const kind = edits.correctionOf(sent.target, row)?.kind ?? own;
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, cells]) => ({ kind, column: column.target, cells }));
}

/** Counts small kinds over all columns, so that at most one change for each column and a few more are left. */
function combined(changes: readonly CountedChange[]): CountedChange[] {
  const sums = COMBINED.map((kind): CountedChange => {
    const own = changes.filter((change) => change.kind === kind);
    return { kind, cells: own.reduce((sum, { cells = 0 }) => sum + cells, 0) };
  });
  const others = changes.filter(({ kind }) => !COMBINED.includes(kind));
  return [...others, ...sums.filter(({ cells }) => cells !== 0)];
}
