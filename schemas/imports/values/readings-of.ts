import { STEP_CHARACTERS } from '../fix/steps.ts';
import { type Distinct, foundReading } from './found-reading.ts';
import { type AnyKind, cellIn, kindOf } from './kinds.ts';
import { type ColumnReadings, type FieldRule, type FoundReading, type Reading, SAME } from './values.ts';
import { hasNoDigit, isWordForNothing } from './words.ts';

/** The decisions of a person about a column. */
export interface ReadingsOptions {
  /** Words for nothing that are ticked, without the spaces around. */
  readonly nothing?: readonly string[];
  /** Readings that are counted besides those that the column suggests, such as words for true and false that a person named. */
  readonly also?: readonly Reading[];
}

const READINGS_MAX = 12;
const NOTHING_MAX = 50;

/** The characters for which a cell counts, whatever its length. */
const CELL_CHARACTERS = 24;

/** A reading with the text that it writes for each distinct value, or null. */
interface Evaluated {
  readonly reading: Reading;
  readonly texts: readonly (string | null)[];
  readonly found: FoundReading;
}

/**
 * Finds the readings of a column, as {@link ColumnReadings} describes them. Each distinct value is taken apart once. The memory
 * that it takes is bounded by the number of cells.
 */
export function* readingsOf(
  cells: readonly string[],
  field: FieldRule,
  { nothing = [], also = [] }: ReadingsOptions = {},
): Generator<void, ColumnReadings> {
  const distinct = yield* distinctOf(cells, new Set(nothing));
  const kind = kindOf(field);
  const same = sameReading(distinct, field);
  yield;
  const evaluated = kind === null ? [] : yield* evaluatedReadings(kind, distinct, field, also);
  evaluated.sort(({ found: left }, { found: right }) => right.fits - left.fits || right.reads - left.reads);
  return {
    cells: distinct.cells,
    empty: distinct.empty,
    readings: evaluated.slice(0, READINGS_MAX).map(({ found }) => found),
    chosen: chosenOf(evaluated, distinct),
    same,
    nothing: wordsForNothing(distinct, field, evaluated),
  };
}

function* distinctOf(cells: readonly string[], nothing: ReadonlySet<string>): Generator<void, Distinct> {
  const counts = new Map<string, number>();
  let left = STEP_CHARACTERS;
  for (const cell of cells) {
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    left -= CELL_CHARACTERS + cell.length;
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  const isNothing = (value: string): boolean =>
    value === '' || (nothing.size > 0 && nothing.has(value.trim()));
  const values: string[] = [];
  const numbers: number[] = [];
  let filled = 0;
  for (const [value, count] of counts) {
    if (isNothing(value)) continue;
    values.push(value);
    numbers.push(count);
    filled += count;
  }
  return { values, counts: numbers, cells: filled, empty: cells.length - filled };
}

/** Evaluates each reading that reads a value; of those with the same result, the first. */
function* evaluatedReadings(
  kind: AnyKind,
  distinct: Distinct,
  field: FieldRule,
  also: readonly Reading[],
): Generator<void, Evaluated[]> {
  const cells: unknown[] = [];
  let left = STEP_CHARACTERS;
  for (const value of distinct.values) {
    cells.push(cellIn(kind, value));
    left -= CELL_CHARACTERS + value.length;
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  const readable = cells.filter((cell) => cell !== null);
  const evaluated: Evaluated[] = [];
  for (const reading of [...also, ...kind.readings(readable)]) {
    const texts = yield* textsOf(cells, kind.writer(reading, field));
    if (texts.every((text) => text === null)) continue;
    if (evaluated.some((other) => isEqual(other.texts, texts))) continue;
    const losses = kind.losses(cells.filter((_, at) => texts[at] !== null));
    evaluated.push({ reading, texts, found: foundReading(reading, distinct, texts, field, losses) });
    yield;
  }
  return evaluated;
}

function* textsOf(
  cells: readonly unknown[],
  write: (cell: unknown) => string | null,
): Generator<void, (string | null)[]> {
  const texts: (string | null)[] = [];
  for (const cell of cells) {
    texts.push(cell === null ? null : write(cell));
    if (texts.length % (STEP_CHARACTERS / CELL_CHARACTERS) < 1) yield;
  }
  return texts;
}

function isEqual(left: readonly (string | null)[], right: readonly (string | null)[]): boolean {
  return left.every((text, at) => text === right[at]);
}

function sameReading(distinct: Distinct, field: FieldRule): FoundReading {
  return foundReading(SAME, distinct, distinct.values, field, []);
}

/** The reading that is ready chosen (`values.ts`), or null. */
function chosenOf(evaluated: readonly Evaluated[], { cells }: Distinct): Reading | null {
  const [best, ...others] = evaluated;
  if (best === undefined) return SAME;
  const reads = ({ texts }: Evaluated, at: number): boolean => texts[at] !== null;
  const hasRival = others.some((other) => best.texts.every((text, at) => text === null || reads(other, at)));
  if (hasRival) return null;
  if (best.found.fits === cells && best.found.loses.length === 0) return best.reading;
  const isLeft = best.texts.some((text, at) => text === null && others.some((other) => reads(other, at)));
  return best.found.changes === 0 && !isLeft ? best.reading : null;
}

/** Values that may stand for nothing: in columns of days and numbers, those without a digit that no reading reads. */
function wordsForNothing(
  { values, counts }: Distinct,
  field: FieldRule,
  evaluated: readonly Evaluated[],
): ColumnReadings['nothing'] {
  const hasDigits = field.type !== 'text' && field.type !== 'boolean';
  const words = new Map<string, number>();
  values.forEach((value, at) => {
    if (evaluated.some(({ texts }) => texts[at] !== null)) return;
    if (!isWordForNothing(value) && !(hasDigits && hasNoDigit(value))) return;
    const word = value.trim();
    words.set(word, (words.get(word) ?? 0) + (counts[at] ?? 0));
  });
  const sorted = [...words].sort(([, left], [, right]) => right - left);
  return sorted.slice(0, NOTHING_MAX).map(([word, cells]) => ({ word, cells }));
}
