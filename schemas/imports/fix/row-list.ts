import type { Break, Row } from './rows.ts';

/** A row of a list. */
export interface ListedRow extends Row {
  /** The 1-based line on which it begins. */
  readonly line: number;
}

/** Numbers of a row: its start, end, next, columns, values and line, and the rule that it breaks. */
const NUMBERS = 7;
/** Rows for which a list gets room at once. */
const ROOM_ROWS = 1_024;
const BREAKS: readonly (Break | null)[] = [null, 'stray_quote', 'unclosed_quote', 'lone_cr'];

/**
 * A list of rows, kept as numbers: an object for each row of a large file would keep the collector of garbage busy for longer than
 * a frame. Each read makes another object. A row is known by its start.
 */
export class Rows {
  length = 0;
  #numbers = new Int32Array();
  /** The cells of repaired rows, by the starts of the rows. */
  #repaired = new Map<number, readonly string[]>();

  push({ start, end, next, columns, values, repaired, broke }: Row, line: number): void {
    const from = NUMBERS * this.length;
    const before = this.#numbers;
    if (from === before.length) {
      this.#numbers = new Int32Array(2 * from + NUMBERS * ROOM_ROWS);
      this.#numbers.set(before);
    }
    const numbers = this.#numbers;
    numbers[from] = start;
    numbers[from + 1] = end;
    numbers[from + 2] = next;
    numbers[from + 3] = columns;
    numbers[from + 4] = values;
    numbers[from + 5] = line;
    numbers[from + 6] = BREAKS.indexOf(broke);
    if (repaired !== null) this.#repaired.set(start, repaired);
    this.length += 1;
  }

  at(place: number): ListedRow | undefined {
    if (place < 0 || place >= this.length) return undefined;
    const numbers = this.#numbers;
    const from = NUMBERS * place;
    const start = numbers[from] as number;
    return {
      start,
      end: numbers[from + 1] as number,
      next: numbers[from + 2] as number,
      columns: numbers[from + 3] as number,
      values: numbers[from + 4] as number,
      line: numbers[from + 5] as number,
      repaired: this.#repaired.get(start) ?? null,
      broke: BREAKS[numbers[from + 6] as number] as Break | null,
    };
  }

  /** True for a list in the order of the text with a row that begins at a place. */
  has(start: number): boolean {
    let [from, to] = [0, this.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#numbers[NUMBERS * middle] as number) < start) from = middle + 1;
      else to = middle;
    }
    // The room behind the rows is zero, and no row before it begins later.
    return this.#numbers[NUMBERS * from] === start;
  }

  /** The rows from a place up to another one. */
  slice(from: number, to: number = this.length): Rows {
    const part = new Rows();
    part.#numbers = this.#numbers.subarray(NUMBERS * from, NUMBERS * Math.min(to, this.length));
    part.#repaired = this.#repaired;
    part.length = part.#numbers.length / NUMBERS;
    return part;
  }

  *[Symbol.iterator](): Generator<ListedRow> {
    for (let at = 0; at < this.length; at += 1) yield this.at(at) as ListedRow;
  }
}
