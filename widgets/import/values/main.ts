// The part of the import widget that reads and corrects values: a module that is loaded once a column has a type.

import type { CountedChange } from '../../../schemas/imports/changed-texts.ts';
import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import {
  applyReadings,
  type ChosenColumn,
  type WrittenColumn,
} from '../../../schemas/imports/values/apply.ts';
import { changesOf } from '../../../schemas/imports/values/changes.ts';
import { type Edit, Edits } from '../../../schemas/imports/values/edits.ts';
import { type ReadingsOptions, readingsOf } from '../../../schemas/imports/values/readings-of.ts';
import type { ColumnReadings, FieldRule } from '../../../schemas/imports/values/values.ts';

/** Finds the readings of a column beside the other work of the page. */
export function readColumn(
  cells: readonly string[],
  field: FieldRule,
  options: ReadingsOptions,
  signal: AbortSignal,
): Promise<ColumnReadings> {
  return inSlices(readingsOf(cells, field, options), signal);
}

/** Writes columns with the chosen readings beside the other work of the page. */
export function writeColumns(
  columns: readonly ChosenColumn[],
  signal: AbortSignal,
): Promise<WrittenColumn[]> {
  return inSlices(applyReadings(columns), signal);
}

/** Makes the corrections of a log again, or starts without one. */
export function editsOf(log: readonly Edit[] = []): Edits {
  return new Edits(log);
}

/** Counts what differs from the file, for the reservation of the import. */
export function countChanges(
  columns: readonly ChosenColumn[],
  written: readonly WrittenColumn[],
  edits: Edits,
  signal: AbortSignal,
): Promise<CountedChange[]> {
  return inSlices(changesOf(columns, written, edits), signal);
}
