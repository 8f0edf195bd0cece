import type { Schemas } from '../../api/interface.ts';
import type { Tone } from '../../parts/table/state.tsx';
import type { ImportField, ImportState } from './queries.ts';

interface ShownState {
  readonly word: string;
  readonly tone: Tone;
  /** Cause and cure, for the tooltip. */
  readonly about: string;
}

/** The word, shape and tooltip of each state. */
export const IMPORT_STATES: Readonly<Record<ImportState, ShownState>> = {
  reserved: { word: 'Waiting for the file', tone: 'info', about: 'An agent or a page uploads the file.' },
  uploaded: { word: 'Uploaded', tone: 'warn', about: 'Map the columns, then validate.' },
  validating: { word: 'Validating', tone: 'info', about: 'Every row is checked against the schema.' },
  needs_correction: {
    word: 'Needs correction',
    tone: 'warn',
    about: 'Rows have errors. Correct the mapping, or upload a corrected file.',
  },
  ready: {
    word: 'Ready',
    tone: 'ok',
    about: 'Every row is valid. An owner or admin can approve the import.',
  },
  approved: { word: 'Approved', tone: 'info', about: 'Your backend pulls the batches.' },
  delivered: { word: 'Delivered', tone: 'ok', about: 'Your backend has acknowledged every batch.' },
  failed: {
    word: 'Failed',
    tone: 'bad',
    about: 'The file as a whole cannot be imported. Upload another one.',
  },
  cancelled: { word: 'Cancelled', tone: 'idle', about: 'The import was cancelled, and the data deleted.' },
  expired: { word: 'Expired', tone: 'idle', about: 'The private data was deleted. Upload the file again.' },
  erased: { word: 'Erased', tone: 'idle', about: 'An owner or admin erased the import.' },
};

/** The states in which an import waits for a person. */
export const WAITING_STATES: readonly ImportState[] = ['ready', 'needs_correction', 'uploaded'];

/** The states that the list can be narrowed to, those that wait for a person first. */
export const LISTED_STATES: readonly ImportState[] = [
  ...WAITING_STATES,
  ...(Object.keys(IMPORT_STATES) as ImportState[]).filter(
    (state) => state !== 'erased' && !WAITING_STATES.includes(state),
  ),
];

export type RowErrorCode = Schemas['RowError']['code'];

/** The codes of row errors in words. */
export const ROW_ERRORS: Readonly<Record<RowErrorCode, string>> = {
  required: 'required',
  too_long: 'too long',
  not_integer: 'not a whole number',
  not_decimal: 'not a decimal',
  out_of_range: 'out of range',
  not_date: 'not a date',
  not_boolean: 'not a boolean',
  column_count: 'wrong number of columns',
  field_too_large: 'cell too large',
  record_too_large: 'row too large',
};

/** True for a field whose cells are numbers, which stand at the right. */
export function isNumber({ type }: ImportField): boolean {
  return type === 'integer' || type === 'decimal';
}

/** The states in which rows can be looked at. */
export const WITH_ROWS: readonly ImportState[] = ['needs_correction', 'ready', 'approved', 'delivered'];
