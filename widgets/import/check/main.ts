// The part of the import widget in which values are read and corrected before a file is sent: a module that is loaded with the file
// if a field of the schema has a type.
import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import { readTable } from '../../../schemas/imports/values/table.ts';
import type { Field } from '../api.ts';
import type { Card } from '../card.ts';
import type { FileToSend } from '../sending.ts';
import type { ValuesPart } from '../values-part.ts';
import css from './check.css?inline';
import { CHECK_LABELS } from './check-labels.ts';
import { ValueTable } from './value-table.ts';

// biome-ignore lint/performance/noBarrelFile: The widget loads everything about values and errors from this one file.
export { reviewErrors } from '../review-errors.ts';

export interface TableRequest {
  readonly card: Card;
  /** The file as it would be sent. */
  readonly file: FileToSend;
  readonly fields: readonly Field[];
  readonly engine: ValuesPart;
  readonly signal: AbortSignal;
}

/** Reads a file beside the other work of the page. Null leaves the decision about the file to the service. */
export async function openTable(request: TableRequest): Promise<ValueTable | null> {
  const { card, file } = request;
  card.add(CHECK_LABELS);
  card.addStyle(css);
  const table = await inSlices(readTable(new Uint8Array(file.bytes)), request.signal);
  return table && new ValueTable(table, request);
}
