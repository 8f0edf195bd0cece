import { faultOf } from './acceptance.ts';
import type { WrittenColumn } from './apply.ts';
import type { CellFault, FieldRule } from './values.ts';

/**
 * One act of a person on written cells or on rows, as an entry of a log. Each can be inverted, because it has the state before it.
 * It is plain JSON with values of the file: only the page that has the file may keep it.
 */
export interface Edit {
  readonly kind: 'edited' | 'replaced' | 'rows';
  /** The key of the field whose cells are corrected; null for rows that are left out. */
  readonly target: string | null;
  /** Rows, from 0. */
  readonly rows: readonly number[];
  /** For each row, the correction of the cell, or a mark that the row is left out; null for none. */
  readonly before: readonly (Correction | null)[];
  readonly after: readonly (Correction | null)[];
  /** The place in the log of the act that this one takes back. */
  readonly undoes?: number;
}

/** A cell as a person wrote it, and the act in which. A row that is left out has an empty text. */
export interface Correction {
  readonly text: string;
  readonly kind: Edit['kind'];
}

/** Corrections of cells, replacements in columns and rows left out, upon columns that `applyReadings` wrote. */
export class Edits {
  readonly #log: Edit[] = [];
  /** The places of acts that can be undone, the latest last. */
  readonly #open: number[] = [];
  readonly #marks = new Map<string | null, Map<number, Correction>>();

  /** @param log acts that were made before, which are made again */
  constructor(log: readonly Edit[] = []) {
    for (const edit of log) this.#append(edit);
  }

  /** All acts in their order, those that were undone and their undoing included: entries are only added. */
  get log(): readonly Edit[] {
    return this.#log;
  }

  get canUndo(): boolean {
    return this.#open.length > 0;
  }

  /** The rows that are left out. */
  get leftOut(): ReadonlySet<number> {
    return new Set(this.#marks.get(null)?.keys());
  }

  isLeftOut(row: number): boolean {
    return this.#marks.get(null)?.has(row) ?? false;
  }

  /** The correction of a cell, or null for one that no person wrote. */
  correctionOf(target: string, row: number): Correction | null {
    return this.#marks.get(target)?.get(row) ?? null;
  }

  /** A cell as it will be sent. */
  textOf({ target, cells }: WrittenColumn, row: number): string {
    return this.correctionOf(target, row)?.text ?? cells[row] ?? '';
  }

  /** The rule that a cell breaks as it will be sent, or null. */
  faultOf(column: WrittenColumn, field: FieldRule, row: number): CellFault | null {
    const correction = this.correctionOf(column.target, row);
    return correction === null ? (column.faults.get(row) ?? null) : faultOf(field, correction.text);
  }

  /** Writes one cell by hand. */
  edit(target: string, row: number, text: string): void {
    this.#act('edited', target, [row], () => text);
  }

  /**
   * Replaces all cells of a column that are equal to a text, or with `isPart` each occurrence of the text in its cells.
   *
   * @returns the number of cells that changed; without one, nothing is added to the log
   */
  replace(column: WrittenColumn, from: string, to: string, isPart = false): number {
    const replaced = (text: string): string => {
      if (isPart && from !== '') return text.replaceAll(from, () => to);
      return text === from ? to : text;
    };
    const rows: number[] = [];
    column.cells.forEach((_, row) => {
      const text = this.textOf(column, row);
      if (replaced(text) !== text) rows.push(row);
    });
    if (rows.length > 0) {
      this.#act('replaced', column.target, rows, (row) => replaced(this.textOf(column, row)));
    }
    return rows.length;
  }

  /** Leaves out rows; those that are left out stay so. */
  leaveOut(rows: readonly number[]): void {
    const added = [...new Set(rows)].filter((row) => !this.isLeftOut(row));
    if (added.length > 0) this.#act('rows', null, added, () => '');
  }

  /** Takes back the latest act that was not taken back, and returns it, or null without one. */
  undo(): Edit | null {
    const place = this.#open.at(-1);
    const edit = place === undefined ? undefined : this.#log[place];
    if (place === undefined || edit === undefined) return null;
    this.#append({ ...edit, before: edit.after, after: edit.before, undoes: place });
    return edit;
  }

  #act(
    kind: Edit['kind'],
    target: string | null,
    rows: readonly number[],
    textOf: (row: number) => string,
  ): void {
    const before = rows.map((row) => this.#marks.get(target)?.get(row) ?? null);
    this.#append({ kind, target, rows, before, after: rows.map((row) => ({ text: textOf(row), kind })) });
  }

  #append(edit: Edit): void {
    const marks = this.#marks.get(edit.target) ?? new Map<number, Correction>();
    this.#marks.set(edit.target, marks);
    edit.rows.forEach((row, at) => {
      const mark = edit.after[at] ?? null;
      if (mark === null) marks.delete(row);
      else marks.set(row, mark);
    });
    if (edit.undoes === undefined) this.#open.push(this.#log.length);
    else this.#open.pop();
    this.#log.push(edit);
  }
}
