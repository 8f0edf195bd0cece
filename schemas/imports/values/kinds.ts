import { dateCell, dateLosses, dateReadings, dayWriter } from './dates.ts';
import { numberCell, numberLosses, numberReadings, numberWriter } from './numbers.ts';
import { CELL_CHARACTERS_MAX } from './signs.ts';
import type { FieldRule, Loss, Reading } from './values.ts';
import { booleanReadings, booleanWriter, wordCell } from './words.ts';

/** A kind of values: how its cells are taken apart, which readings there can be, and what they write. */
export interface ValueKind<Cell, Own extends Reading> {
  /** Takes a value apart, or returns null for one that no reading reads. */
  cellOf(value: string): Cell | null;
  readings(cells: readonly Cell[]): readonly Own[];
  /** Returns what writes cells in the form of the schema; null for a cell that the reading does not read. */
  writer(reading: Own, field: FieldRule): (cell: Cell) => string | null;
  /** The losses of a reading that reads these cells. */
  losses(cells: readonly Cell[]): readonly Loss[];
}

/** A kind with its type parameters erased. It receives only cells that it made, and readings of its name. */
export type AnyKind = ValueKind<unknown, Reading>;

const KINDS = {
  date: {
    cellOf: dateCell,
    readings: dateReadings,
    writer: (reading, field) =>
      dayWriter(reading, (field.type === 'date' ? field.format : undefined) ?? 'YYYY-MM-DD'),
    losses: dateLosses,
  } satisfies ValueKind<NonNullable<ReturnType<typeof dateCell>>, Extract<Reading, { kind: 'date' }>>,
  number: {
    cellOf: numberCell,
    readings: numberReadings,
    writer: numberWriter,
    losses: numberLosses,
  } satisfies ValueKind<NonNullable<ReturnType<typeof numberCell>>, Extract<Reading, { kind: 'number' }>>,
  boolean: {
    cellOf: wordCell,
    readings: booleanReadings,
    writer: booleanWriter,
    losses: () => [],
  } satisfies ValueKind<string, Extract<Reading, { kind: 'boolean' }>>,
};

const KIND_OF_TYPE = { date: 'date', integer: 'number', decimal: 'number', boolean: 'boolean' } as const;

/** The kind of the values of a field, or null for texts, which are kept as they are. */
export function kindOf({ type }: FieldRule): AnyKind | null {
  return type === 'text' ? null : (KINDS[KIND_OF_TYPE[type]] as unknown as AnyKind);
}

/** True for a reading of the kind of a field's values, and for `same`. */
export function isReadingOf({ kind }: Reading, { type }: FieldRule): boolean {
  return kind === 'same' || (type !== 'text' && KIND_OF_TYPE[type] === kind);
}

/** Takes a value apart, unless it is too long for any. */
export function cellIn(kind: AnyKind, value: string): unknown {
  return value.length > CELL_CHARACTERS_MAX ? null : kind.cellOf(value);
}
