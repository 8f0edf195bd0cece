import { STEP_CHARACTERS } from '../../../schemas/imports/fix/steps.ts';
import type { WrittenColumn } from '../../../schemas/imports/values/apply.ts';
import type { Edit, Edits } from '../../../schemas/imports/values/edits.ts';
import type { FieldRule } from '../../../schemas/imports/values/values.ts';

/** The place of a fault that is about a row as a whole. */
export const WHOLE_ROW = -1;

/** A cell that the service has refused: the fault lasts while the cell has this text. */
export interface RefusedCell {
  readonly text: string;
  readonly code: string;
}

/** The written cells of a file, with the corrections of a person. */
export interface CheckedCells {
  readonly rows: number;
  readonly columns: readonly WrittenColumn[];
  readonly rules: readonly FieldRule[];
  readonly edits: Edits;
  /** Rows with another number of cells than the header. */
  readonly uneven: ReadonlyMap<number, number>;
  /** By the place of the column, then by row. */
  readonly refused: ReadonlyMap<number, ReadonlyMap<number, RefusedCell>>;
}

/** Cells of one column, or whole rows, that break the same rule. */
export interface FaultGroup {
  readonly column: number;
  readonly code: string;
  readonly cells: number;
}

/** The rules that cells break, counted while a person corrects them. */
export class Faults {
  readonly #cells: CheckedCells;
  /** The number of faults by row. */
  readonly #wrong: Int32Array;
  readonly #found = new Map<number, Map<number, string>>();
  readonly #groups = new Map<string, number>();
  #wrongRows = 0;

  private constructor(cells: CheckedCells) {
    this.#cells = cells;
    this.#wrong = new Int32Array(cells.rows);
  }

  /** Looks at all cells. */
  static *of(cells: CheckedCells): Generator<void, Faults> {
    const faults = new Faults(cells);
    const { columns, uneven, refused, edits } = cells;
    let passed = 0;
    for (const column of [WHOLE_ROW, ...columns.keys()]) {
      const own = column === WHOLE_ROW ? uneven.keys() : columns[column]?.faults.keys();
      const corrected = edits.log.filter(({ target }) => target === columns[column]?.target);
      const rows = new Set([
        ...(own ?? []),
        ...(refused.get(column)?.keys() ?? []),
        ...corrected.flatMap((edit) => edit.rows),
      ]);
      for (const row of rows) {
        faults.#look(column, row);
        passed += 1;
        if (passed % STEP_CHARACTERS === 0) yield;
      }
      yield;
    }
    return faults;
  }

  /** Rows with a fault that are not left out. */
  get wrongRows(): number {
    return this.#wrongRows;
  }

  /** The groups with most cells first. */
  get groups(): readonly FaultGroup[] {
    return [...this.#groups]
      .map(([key, cells]) => {
        const [column = '', code = ''] = key.split(' ');
        return { column: Number(column), code, cells };
      })
      .sort((left, right) => right.cells - left.cells);
  }

  at(column: number, row: number): string | null {
    return this.#found.get(column)?.get(row) ?? null;
  }

  /** Takes an act of the person into account. */
  update({ target, rows }: Edit): void {
    const column = this.#cells.columns.findIndex((each) => each.target === target);
    for (const row of rows) {
      if (target === null) this.#toggle(row);
      else this.#look(column, row);
    }
  }

  /** The rows with a fault, or those of one group, that are not left out. */
  rowsWith(group: Pick<FaultGroup, 'column' | 'code'> | null): number[] {
    const { edits } = this.#cells;
    const rows: number[] = [];
    if (group === null) {
      this.#wrong.forEach((count, row) => {
        if (count > 0 && !edits.isLeftOut(row)) rows.push(row);
      });
      return rows;
    }
    for (const [row, code] of this.#found.get(group.column) ?? [])
      if (code === group.code && !edits.isLeftOut(row)) rows.push(row);
    return rows.sort((left, right) => left - right);
  }

  /** The rows that a person has corrected or left out. */
  correctedRows(): number[] {
    const { edits } = this.#cells;
    const isChanged = (target: string | null, row: number): boolean =>
      target === null ? edits.isLeftOut(row) : edits.correctionOf(target, row) !== null;
    const rows = edits.log.flatMap(({ target, rows: all }) => all.filter((row) => isChanged(target, row)));
    return [...new Set(rows)].sort((left, right) => left - right);
  }

  #look(column: number, row: number): void {
    const found = this.#found.get(column) ?? new Map<number, string>();
    this.#found.set(column, found);
    const before = found.get(row) ?? null;
    const after = this.#faultOf(column, row);
    if (before === after) return;
    if (after === null) found.delete(row);
    else found.set(row, after);
    const isCounted = !this.#cells.edits.isLeftOut(row);
    if (before !== null) this.#count(column, row, before, -1, isCounted);
    if (after !== null) this.#count(column, row, after, 1, isCounted);
  }

  #count(column: number, row: number, code: string, by: number, isCounted: boolean): void {
    const wrong = this.#wrong[row] ?? 0;
    this.#wrong[row] = wrong + by;
    if (!isCounted) return;
    this.#group(column, code, by);
    this.#wrongRows += Math.sign(wrong + by) - Math.sign(wrong);
  }

  #group(column: number, code: string, by: number): void {
    const key = `${column} ${code}`;
    const cells = (this.#groups.get(key) ?? 0) + by;
    if (cells === 0) this.#groups.delete(key);
    else this.#groups.set(key, cells);
  }

  /** Counts a row that was left out, or was taken back. */
  #toggle(row: number): void {
    if ((this.#wrong[row] ?? 0) === 0) return;
    const by = this.#cells.edits.isLeftOut(row) ? -1 : 1;
    this.#wrongRows += by;
    for (const [column, found] of this.#found) {
      const code = found.get(row);
      if (code !== undefined) this.#group(column, code, by);
    }
  }

  #faultOf(column: number, row: number): string | null {
    const { columns, rules, edits, uneven, refused } = this.#cells;
    const [written, rule, known] = [columns[column], rules[column], refused.get(column)?.get(row)];
    if (written === undefined || rule === undefined)
      return uneven.has(row) ? 'column_count' : (known?.code ?? null);
    const own = edits.faultOf(written, rule, row);
    return own ?? (known?.text === edits.textOf(written, row) ? known.code : null);
  }
}
