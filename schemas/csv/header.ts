import { parse } from '@fast-csv/parse';
import type { FileFault, FileFaultCode } from '../imports/file-faults.ts';
import { COLUMNS_MAX, HEADER_BYTES_MAX } from './limits.ts';
import { isBlank, RecordScanner, type ScannedRecord } from './scanner.ts';
import { Utf8Check } from './utf8.ts';

/** The names of the columns, exactly as they stand in the file, or why the file has none that can be used. */
export type Header =
  | { readonly kind: 'header'; readonly names: readonly string[] }
  | { readonly kind: 'fault'; readonly fault: FileFault };

/**
 * Bytes from the start of a file that are enough for {@link readHeader}, whatever the file holds: the largest place of
 * the header record, and its line end.
 */
export const HEADER_PREFIX_BYTES = HEADER_BYTES_MAX + 2;

/**
 * Reads the header row from the start of a file.
 *
 * The header is the first record that is not blank: blank lines before it are skipped and count as blank. It has to end
 * within the first {@link HEADER_BYTES_MAX} bytes, else the file counts as having none (`no_header`).
 *
 * @param prefix the whole file, or at least its first {@link HEADER_PREFIX_BYTES} bytes; what is beyond is not looked at
 */
export async function readHeader(prefix: Uint8Array): Promise<Header> {
  const bytes = prefix.subarray(0, HEADER_PREFIX_BYTES);
  let first: ScannedRecord | undefined;
  const scanner = new RecordScanner((record) => {
    if (!isBlank(record)) first ??= record;
  });
  const fault = scanner.write(bytes) ?? (bytes.length < HEADER_PREFIX_BYTES ? scanner.finish() : null);
  if (first !== undefined) return headerOf(first, bytes);
  return { kind: 'fault', fault: fault ?? NO_HEADER };
}

/**
 * Reads the header from its record, which the scanner found first. Names are compared code unit by code unit, and only
 * the empty string is empty. A fault about the names stands at the start of the record.
 *
 * @param prefix at least the file's first {@link HEADER_BYTES_MAX} bytes
 */
export async function headerOf(record: ScannedRecord, prefix: Uint8Array): Promise<Header> {
  if (record.end > HEADER_BYTES_MAX) return faultAt('no_header', record);
  const utf8 = new Utf8Check();
  const broken = utf8.write(prefix.subarray(0, record.end)) ?? utf8.finish();
  if (broken !== null) return { kind: 'fault', fault: broken };
  if (record.columns > COLUMNS_MAX) return faultAt('too_many_columns', record);
  const names = await parseNames(prefix.subarray(record.start, record.end), record.columns);
  if (names.includes('')) return faultAt('empty_header', record);
  if (new Set(names).size < names.length) return faultAt('duplicate_header', record);
  return { kind: 'header', names };
}

/** @throws {Error} when the parser sees other fields than the scanner: a bug of one of them */
async function parseNames(bytes: Uint8Array, columns: number): Promise<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parser = parse({ headers: false, ignoreEmpty: false, trim: false });
  parser.end(`${SENTINEL},${decoder.decode(bytes)}\n`);
  const records: string[][] = await parser.toArray();
  const [sentinel, ...names] = records[0] ?? [];
  if (records.length !== 1 || sentinel !== SENTINEL || names.length !== columns) {
    throw new Error(`parsing a header of ${columns} names: seen ${names.length}`);
  }
  return names;
}

/**
 * Stands before the record while it is parsed and is dropped from the result. Without it the parser would lose what comes
 * first in a record: a name of spaces becomes empty, a line of spaces no row at all, and U+FEFF vanishes.
 */
const SENTINEL = 'x';

/** The fault of a file without any record. It has no place in the file. */
export const NO_HEADER: FileFault = { code: 'no_header', line: null, byteOffset: null };

function faultAt(code: FileFaultCode, record: ScannedRecord): Header {
  return { kind: 'fault', fault: { code, line: record.line, byteOffset: record.start } };
}
