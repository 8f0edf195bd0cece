import { STEP_CHARACTERS } from '../fix/steps.ts';
import { faultOf } from './acceptance.ts';
import { unreadFault } from './found-reading.ts';
import { cellIn, kindOf } from './kinds.ts';
import type { CellFault, ColumnChoice } from './values.ts';

/** A column with its choice, and its cells as the file has them. */
export interface ChosenColumn extends ColumnChoice {
  readonly cells: readonly string[];
}

/** A column in the form of the schema. */
export interface WrittenColumn {
  readonly target: string;
  /** The cells as they will be sent. Those that the reading does not read are as the file has them. */
  readonly cells: readonly string[];
  /** The cells that break a rule, by their row, from 0. */
  readonly faults: ReadonlyMap<number, CellFault>;
}

/** The characters for which a cell counts, whatever its length. */
const CELL_CHARACTERS = 24;

/** Writes the cells of columns with the chosen readings. */
export function* applyReadings(columns: readonly ChosenColumn[]): Generator<void, WrittenColumn[]> {
  const written: WrittenColumn[] = [];
  for (const column of columns) written.push(yield* writtenColumn(column));
  return written;
}

function* writtenColumn(column: ChosenColumn): Generator<void, WrittenColumn> {
  const write = writerOf(column);
  const texts = new Map<string, readonly [text: string, fault: CellFault | null]>();
  const cells: string[] = [];
  const faults = new Map<number, CellFault>();
  let left = STEP_CHARACTERS;
  for (const cell of column.cells) {
    let known = texts.get(cell);
    if (known === undefined) {
      known = write(cell);
      texts.set(cell, known);
    }
    const [text, fault] = known;
    if (fault !== null) faults.set(cells.length, fault);
    cells.push(text);
    left -= CELL_CHARACTERS + cell.length;
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  return { target: column.target, cells, faults };
}

/** Returns what writes one cell of a column, and says which rule the written cell breaks. */
export function writerOf({
  field,
  reading,
  nothing = [],
}: ColumnChoice): (cell: string) => readonly [text: string, fault: CellFault | null] {
  const kind = kindOf(field);
  const words = new Set(nothing);
  const write = kind === null || reading.kind === 'same' ? null : kind.writer(reading, field);
  return (cell) => {
    if (cell === '' || words.has(cell.trim())) return ['', faultOf(field, '')];
    if (kind === null || write === null) return [cell, faultOf(field, cell)];
    const parts = cellIn(kind, cell);
    const text = parts === null ? null : write(parts);
    return text === null ? [cell, unreadFault(field, cell)] : [text, faultOf(field, text)];
  };
}
