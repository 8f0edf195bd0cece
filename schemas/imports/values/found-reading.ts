import { faultOf } from './acceptance.ts';
import type { CellFault, FieldRule, FoundReading, OutValue, Reading, Sample } from './values.ts';

const SAMPLES_MAX = 3;
const OUT_MAX = 50;

/** The distinct values of a column, in their order. */
export interface Distinct {
  readonly values: readonly string[];
  readonly counts: readonly number[];
  readonly cells: number;
  readonly empty: number;
}

/** Counts what a reading makes of the values, with the text that it writes for each. */
export function foundReading(
  reading: Reading,
  { values, counts }: Distinct,
  texts: readonly (string | null)[],
  field: FieldRule,
  loses: FoundReading['loses'],
): FoundReading {
  const tally = { reads: 0, changes: 0, outCells: 0, cells: 0 };
  const changed: Sample[] = [];
  const kept: Sample[] = [];
  const out: OutValue[] = [];
  values.forEach((value, at) => {
    const cells = counts[at] ?? 0;
    const text = texts[at] ?? null;
    const fault = text === null ? unreadFault(field, value) : faultOf(field, text);
    tally.cells += cells;
    if (text !== null) {
      tally.reads += cells;
      if (text !== value) tally.changes += cells;
      push(text === value ? kept : changed, SAMPLES_MAX, { before: value, after: text, cells });
    }
    if (fault === null) return;
    tally.outCells += cells;
    push(out, OUT_MAX, { value, cells, fault });
  });
  const { cells, ...counted } = tally;
  const samples = changed.length > 0 ? changed : kept;
  return { reading, fits: cells - counted.outCells, ...counted, loses, samples, out };
}

function push<Item>(list: Item[], max: number, item: Item): void {
  if (list.length < max) list.push(item);
}

/** The fault of a cell that a reading does not read: the service's, or that it would mean something else there. */
export function unreadFault(field: FieldRule, cell: string): CellFault {
  return faultOf(field, cell) ?? 'unread';
}
