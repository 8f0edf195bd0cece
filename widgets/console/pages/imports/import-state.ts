import type { Schemas } from '../../api/interface.ts';
import type { Tone } from '../../parts/state.tsx';
import type { ImportField, ImportState } from './queries.ts';

interface ShownState {
  readonly word: string;
  readonly tone: Tone;
  /** Cause and cure, for the tooltip. */
  readonly about: string;
}

/** The word, shape and tooltip of each state. */
export const IMPORT_STATES: Readonly<Record<ImportState, ShownState>> = {
  reserved: { word: 'Waits for its file', tone: 'info', about: 'An agent or a page uploads the file.' },
  uploaded: { word: 'Uploaded', tone: 'warn', about: 'Map its columns, then validate it.' },
  validating: { word: 'Validating', tone: 'info', about: 'Every row is checked against the schema.' },
  needs_correction: {
    word: 'Needs correction',
    tone: 'warn',
    about: 'Rows have errors. Correct the mapping, or upload a corrected file.',
  },
  ready: { word: 'Ready', tone: 'ok', about: 'Every row is valid. An owner or admin approves it.' },
  approved: { word: 'Approved', tone: 'info', about: 'Your backend pulls its batches.' },
  delivered: { word: 'Delivered', tone: 'ok', about: 'Your backend has acknowledged every batch.' },
  failed: {
    word: 'Failed',
    tone: 'bad',
    about: 'The file as a whole cannot be imported. Upload another one.',
  },
  cancelled: { word: 'Cancelled', tone: 'idle', about: 'It was cancelled. Its data is deleted.' },
  expired: { word: 'Expired', tone: 'idle', about: 'Its private data has ended. Upload the file again.' },
  erased: { word: 'Erased', tone: 'idle', about: 'An owner or admin erased it.' },
};

/** The states that the list can be narrowed to. */
export const LISTED_STATES = (Object.keys(IMPORT_STATES) as ImportState[]).filter(
  (state) => state !== 'erased',
);

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

type FaultCode = Schemas['FileFault']['code'];

/** Why a file as a whole cannot be imported, and what to do. */
export const FILE_FAULTS: Readonly<Record<FaultCode, string>> = {
  invalid_utf8: 'The file is not UTF-8. Save it as UTF-8 and upload it again.',
  nul_byte: 'The file contains a NUL byte. It may be UTF-16 or a spreadsheet; save it as CSV in UTF-8.',
  unclosed_quote: 'A quoted field is opened and never closed.',
  stray_quote: 'A quote stands inside an unquoted field, or text follows a closing quote.',
  lone_cr: 'A carriage return stands alone outside quotes. Lines end with LF or CRLF.',
  no_header: 'The file has no header row.',
  header_too_large: 'The header row is larger than 64 KiB, or one of its names is larger than 16 KiB.',
  empty_header: 'A column of the header row has no name.',
  duplicate_header: 'Two columns of the header row have the same name.',
  too_many_columns: 'The header row has more columns than allowed.',
  no_rows: 'The file has a header row and no data rows.',
  too_many_rows: 'The file has more data rows than the plan allows.',
  artifact_limit: 'One validation of the file would write more than an import may.',
  internal: 'The service could not process the file. Validate again, or upload it again.',
};

/** True for a field whose cells are numbers, which stand at the right. */
export function isNumber({ type }: ImportField): boolean {
  return type === 'integer' || type === 'decimal';
}
