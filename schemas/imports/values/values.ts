/**
 * The engine of values: how the cells of one column are written, and what they become in the form of the schema.
 *
 * A page, the tool or the client library calls it before a file is sent; the service validates what it receives alone.
 *
 * 1. {@link readingsOf} (`readings-of.ts`) takes the cells of a column with its field. It returns every reading that some
 *    cell fits, with counts, the first values before and after, and the values that stay out.
 * 2. A person chooses where {@link ColumnReadings.chosen} is null, and may tick words for nothing. Each tick calls for
 *    `readingsOf` again, with these words in `nothing`, because they stand in the way of readings.
 * 3. `applyReadings` (`apply.ts`) writes all columns with what was chosen, and lists the cells that still break a rule.
 * 4. `Edits` (`edits.ts`) takes cells by hand, replacements in a column and rows left out, and undoes them one by one.
 * 5. `changesOf` (`changes.ts`) counts what was changed, for the reservation of the import.
 *
 * Work is a generator, which yields after at most a few thousand cells: `inSlices` of `../fix/slices.ts` runs it. Everything
 * is plain JSON, so that choices can be stored and read from a file.
 *
 * Guarantees:
 * - Numbers are exact: digits are moved as text, and none is rounded. Days exist in the Gregorian calendar.
 * - Each value that a reading writes has the form of the schema, or the field's limits refuse it and it is listed.
 * - Nothing is chosen between two readings that fit. A reading is ready chosen if it fits every cell and loses nothing, and
 *   if no other reading reads every cell; or if it changes nothing, and no other reading reads a cell that it leaves.
 * - A cell that the reading of its column does not read stays as the file has it, and is listed as a fault. That holds for a
 *   cell that the service would accept, too: it means something else there.
 */

/** A field of the schema, with the rules that its cells have to meet. A field of a configuration is one. */
export type FieldRule = { readonly required: boolean } & (
  | { readonly type: 'text'; readonly maxLength?: number | undefined }
  | { readonly type: 'integer' }
  | {
      readonly type: 'decimal';
      readonly precision?: number | undefined;
      readonly scale?: number | undefined;
    }
  | { readonly type: 'date'; readonly format?: DateFormat | undefined }
  | { readonly type: 'boolean' }
);

/** The formats that a field of dates may name, as in `../fields/calendar-date.ts`. */
export type DateFormat = 'YYYY-MM-DD' | 'MM/DD/YYYY' | 'DD/MM/YYYY' | 'DD.MM.YYYY' | 'YYYY/MM/DD';

/** A way in which the cells of a column are written. */
export type Reading = SameReading | DateReading | NumberReading | BooleanReading;

/** As the file has it: cells stay as they are. */
export interface SameReading {
  readonly kind: 'same';
}

/** Days, with any separator, without leading zeros, and with names of months in any language of `month-names.ts`. */
export interface DateReading {
  readonly kind: 'date';
  /** The order of the numbers. A year of four digits in front is followed by month and day in every order. */
  readonly order: 'dmy' | 'mdy' | 'ymd';
  /** The first of the hundred years to which years of two digits belong. Without it, they are not read. */
  readonly yearsFrom?: number;
  /** A time or a zone behind the day is dropped. Without it, such cells are not read. */
  readonly time?: 'dropped';
  /** Names of months that are others in Croatian, such as `listopad`, are Croatian. */
  readonly months?: 'hr';
}

/** Numbers, with groups, signs and codes of currencies, signs on either side or brackets, and exponents. */
export interface NumberReading {
  readonly kind: 'number';
  /** The decimal sign. The other one separates groups, as do spaces and apostrophes. */
  readonly decimal: '.' | ',';
  /** `4.6%` becomes 4.6 or 0.046. Without it, cells with percent signs are not read; with `fraction`, those without are not. */
  readonly percent?: 'number' | 'fraction';
}

/** Words for true and false, without regard to capitals, accents and spaces around. */
export interface BooleanReading {
  readonly kind: 'boolean';
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

/**
 * A part of some cells that a reading loses: the time of a day, the century that a year of two digits leaves open, zeros in front of a
 * number, its percent sign, or which of several currencies it is in. Such a reading is never ready chosen.
 */
export type Loss = 'time' | 'century' | 'zeros' | 'percent' | 'currencies';

/** The rule that a cell breaks: a code of the service, or `unread` for a cell that the column's reading does not read. */
export type CellFault =
  | 'required'
  | 'too_long'
  | 'not_integer'
  | 'not_decimal'
  | 'out_of_range'
  | 'not_date'
  | 'not_boolean'
  | 'unread';

/** A value of the column, what it becomes, and the number of its cells. */
export interface Sample {
  readonly before: string;
  readonly after: string;
  readonly cells: number;
}

/** A value that a reading leaves out, or writes against a rule. */
export interface OutValue {
  readonly value: string;
  readonly cells: number;
  readonly fault: CellFault;
}

/** A reading with what it makes of a column. */
export interface FoundReading {
  readonly reading: Reading;
  /** The cells that become a value which the service accepts, of {@link ColumnReadings.cells}. */
  readonly fits: number;
  /** The cells that it reads, those included that break a limit of the field. */
  readonly reads: number;
  /** The cells that it writes in another way than the file. */
  readonly changes: number;
  readonly loses: readonly Loss[];
  /** The first distinct values that it changes; if there are none, that it reads. */
  readonly samples: readonly Sample[];
  /** The first distinct values that stay out, with all their cells in `outCells`. */
  readonly out: readonly OutValue[];
  readonly outCells: number;
}

/** The readings of one column. */
export interface ColumnReadings {
  /** The cells that are neither empty nor words for nothing that were ticked. */
  readonly cells: number;
  /** The other cells. They break the rule of a required field. */
  readonly empty: number;
  /** The readings that read a cell, each with another result, those that fit most cells first. */
  readonly readings: readonly FoundReading[];
  /** The reading that is ready chosen, or null if a person has to choose. `same` if no reading reads a cell. */
  readonly chosen: Reading | null;
  /** The column as it is, with the values that the service refuses. */
  readonly same: FoundReading;
  /** Words of the column that may stand for nothing, most cells first. None is ticked. */
  readonly nothing: readonly { readonly word: string; readonly cells: number }[];
}

/** A column that is mapped to a field, with what was chosen for it. */
export interface ColumnChoice {
  /** The key of the field. */
  readonly target: string;
  readonly field: FieldRule;
  readonly reading: Reading;
  /** Words that become empty cells, as the file has them, without the spaces around. */
  readonly nothing?: readonly string[];
}

export const SAME: SameReading = { kind: 'same' };
