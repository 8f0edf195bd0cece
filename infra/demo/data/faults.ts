/** One deliberate error of the faulty file: where it is, what is done there, and the code that must be reported. */
export interface Fault {
  /** 1-based over data records. */
  readonly row: number;
  readonly code: string;
  /** The spoiled cell's header, and the field that the mapping sends it to; null where the record as a whole is wrong. */
  readonly cell: { readonly source: string; readonly target: string } | null;
  /** The text of the cell, or of one more cell at the end of the record. */
  readonly text: string;
}

const FIELD_BYTES_MAX = 16 * 1_024;
const RECORD_BYTES_MAX = 64 * 1_024;

/** Every code of a row error at least once, ordered by row and, within a row, by the fields of the schema. */
export const FAULTS: readonly Fault[] = [
  { row: 3, code: 'required', cell: { source: 'Event', target: 'event' }, text: '' },
  { row: 6, code: 'too_long', cell: { source: 'Place', target: 'place' }, text: 'somewhere '.repeat(13) },
  { row: 9, code: 'not_integer', cell: { source: 'Stations', target: 'stations' }, text: '012' },
  { row: 12, code: 'not_decimal', cell: { source: 'Depth (km)', target: 'depth_km' }, text: '8,9' },
  { row: 15, code: 'out_of_range', cell: { source: 'Latitude', target: 'latitude' }, text: '38.81234567' },
  { row: 18, code: 'not_date', cell: { source: 'Date', target: 'date' }, text: '02/30/2018' },
  { row: 21, code: 'not_boolean', cell: { source: 'Tsunami', target: 'tsunami' }, text: 'no' },
  { row: 24, code: 'column_count', cell: null, text: 'one more' },
  {
    row: 27,
    code: 'field_too_large',
    cell: { source: 'Remarks', target: 'remarks' },
    text: 'x'.repeat(FIELD_BYTES_MAX + 1),
  },
  { row: 30, code: 'record_too_large', cell: null, text: 'y'.repeat(RECORD_BYTES_MAX) },
  { row: 33, code: 'not_date', cell: { source: 'Date', target: 'date' }, text: '2018-02-03' },
  { row: 33, code: 'not_boolean', cell: { source: 'Tsunami', target: 'tsunami' }, text: 'FALSE' },
];
