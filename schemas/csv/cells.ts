import { isUtf8 } from 'node:buffer';
import { RECORD_BYTES_MAX } from './limits.ts';
import { isBlank, RecordScanner, type ScannedRecord, type ScanOrigin } from './scanner.ts';

/** One data record with its decoded fields. */
export interface CsvRow {
  readonly record: ScannedRecord;
  /**
   * All fields of the record as the file has them, untrimmed. Null for a record that is not decoded: it exceeds
   * {@link RECORD_BYTES_MAX}, or the reader does not want it.
   */
  readonly cells: readonly string[] | null;
}

/** The contents of a range of records. */
export interface CsvRows {
  /** One entry for each record that is not blank, in file order. */
  readonly rows: readonly CsvRow[];
  readonly blank: number;
}

/**
 * Reads the records of a byte range that a scan of the whole file has accepted and cut at records.
 *
 * @param bytes the bytes of the range; `origin` is its start in the file. Only the start of the file can have a BOM.
 * @param isWanted selects the records to decode, among those that are not too large; absent: all
 * @throws {Error} if the range differs from the scan: a defect or damaged bytes, never a customer's mistake
 */
export function readRows(
  bytes: Uint8Array,
  origin: ScanOrigin,
  isWanted: (record: ScannedRecord) => boolean = () => true,
): CsvRows {
  const records: ScannedRecord[] = [];
  let blank = 0;
  const scanner = new RecordScanner((record) => {
    if (isBlank(record)) blank += 1;
    else records.push(record);
  }, origin);
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) throw new Error(`reading a range that was accepted before: ${fault.code}`);
  const textOf = textReader(bytes, origin.offset);
  const rows = records.map((record) => {
    if (record.end - record.start > RECORD_BYTES_MAX || !isWanted(record)) return { record, cells: null };
    return { record, cells: splitRecord(textOf(record), record.columns) };
  });
  return { rows, blank };
}

/** Gives the text of each record of a range. Bytes that are UTF-8 as a whole are so between two records as well. */
function textReader(bytes: Uint8Array, offset: number): (record: ScannedRecord) => string {
  if (!isUtf8(bytes)) throw new Error('reading a range that was accepted before: it is not UTF-8');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ({ start, end }) => buffer.toString('utf8', start - offset, end - offset);
}

/**
 * Splits a record that the scanner has accepted into its fields. The scanner has checked the quotes and counted the
 * fields, so slicing is enough. A full parser would cost more than the rest of a validation (`npm run bench:import`).
 * A property test checks that both read the same.
 *
 * @param text the record without its line end
 * @param columns the number of fields that the scanner counted
 * @throws {Error} if the text has another number of fields
 */
export function splitRecord(text: string, columns: number): string[] {
  const cells: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const end = text[start] === QUOTE ? quotedEnd(text, start) : plainEnd(text, start);
    cells.push(text[start] === QUOTE ? unquoted(text.slice(start + 1, end - 1)) : text.slice(start, end));
    start = end + 1;
  }
  if (cells.length !== columns)
    throw new Error(`reading a record of ${columns} fields: seen ${cells.length}`);
  return cells;
}

const QUOTE = '"';

function plainEnd(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma === -1 ? text.length : comma;
}

/** The place behind the closing quote. A doubled quote is one that is followed by another. */
function quotedEnd(text: string, start: number): number {
  let quote = text.indexOf(QUOTE, start + 1);
  while (quote !== -1 && text[quote + 1] === QUOTE) quote = text.indexOf(QUOTE, quote + 2);
  if (quote === -1) throw new Error('reading a field whose quote does not end');
  return quote + 1;
}

function unquoted(text: string): string {
  return text.includes(QUOTE) ? text.replaceAll('""', QUOTE) : text;
}
