import { parse } from '@fast-csv/parse';
import { COLUMNS_MAX, RECORD_BYTES_MAX } from './limits.ts';
import { isBlank, RecordScanner, type ScannedRecord, type ScanOrigin } from './scanner.ts';

/** One data record with its decoded fields. */
export interface CsvRow {
  readonly record: ScannedRecord;
  /**
   * The fields as they stand in the file, nothing trimmed; null for a record that is not decoded, because it is larger
   * than {@link RECORD_BYTES_MAX} or has more fields than any header ({@link COLUMNS_MAX}).
   */
  readonly cells: readonly string[] | null;
}

/** What a range of records holds. */
export interface CsvRows {
  /** One entry for each record that is not blank, in file order. */
  readonly rows: readonly CsvRow[];
  readonly blank: number;
}

/**
 * Reads the records of a byte range that a scan of the whole file has accepted and cut on records.
 *
 * @param bytes the range's bytes; `origin` is where it starts in the file, and only the file's start can carry a BOM
 * @throws {Error} when the range is not what the scan saw: a bug or damaged bytes, never a customer's mistake
 */
export async function readRows(bytes: Uint8Array, origin: ScanOrigin): Promise<CsvRows> {
  const records: ScannedRecord[] = [];
  let blank = 0;
  const scanner = new RecordScanner((record) => {
    if (isBlank(record)) blank += 1;
    else records.push(record);
  }, origin);
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) throw new Error(`reading a range that was accepted before: ${fault.code}`);
  const cells = await decodeRecords(bytes, origin.offset, records.filter(isDecodable));
  let next = 0;
  const rows = records.map((record) => {
    if (!isDecodable(record)) return { record, cells: null };
    const row = { record, cells: cells[next] as readonly string[] };
    next += 1;
    return row;
  });
  return { rows, blank };
}

function isDecodable(record: ScannedRecord): boolean {
  return record.end - record.start <= RECORD_BYTES_MAX && record.columns <= COLUMNS_MAX;
}

/**
 * The fields of records that the scanner has accepted: one array a record, in order, with as many strings as the
 * scanner counted columns.
 *
 * @param bytes hold the records; `offset` is the place of their first byte in the file
 * @throws {Error} when the parser sees other records or fields than the scanner
 */
export async function decodeRecords(
  bytes: Uint8Array,
  offset: number,
  records: readonly ScannedRecord[],
): Promise<string[][]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lines = records.map(
    (record) => `${SENTINEL},${decoder.decode(bytes.subarray(record.start - offset, record.end - offset))}\n`,
  );
  const parser = parse({ headers: false, ignoreEmpty: false, trim: false });
  parser.end(lines.join(''));
  const rows: string[][] = await parser.toArray();
  if (rows.length !== records.length) {
    throw new Error(`decoding ${records.length} scanned records: seen ${rows.length}`);
  }
  return rows.map((row, index) => {
    const [sentinel, ...cells] = row;
    const columns = records[index]?.columns;
    if (sentinel !== SENTINEL || cells.length !== columns) {
      throw new Error(`decoding a record of ${columns} fields: seen ${cells.length}`);
    }
    return cells;
  });
}

/**
 * Stands before every record while it is parsed and is dropped from the result. Without it the parser would lose what
 * comes first in a record: a field of spaces becomes empty, a line of spaces no row at all, and U+FEFF vanishes.
 */
const SENTINEL = 'x';
