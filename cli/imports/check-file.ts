import { counted } from '../../schemas/base/text.ts';
import { splitRecord } from '../../schemas/csv/cells.ts';
import { type Header, HeaderReader } from '../../schemas/csv/header.ts';
import { FIELD_BYTES_MAX, RECORD_BYTES_MAX } from '../../schemas/csv/limits.ts';
import { isBlank, RecordScanner, type ScannedRecord } from '../../schemas/csv/scanner.ts';
import { Utf8Check } from '../../schemas/csv/utf8.ts';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import type { FileFault } from '../../schemas/imports/file-faults.ts';
import { CommandFailure } from '../failure.ts';

/** The limits of the plan for one file, and the wish of the caller. */
export interface FileLimits {
  readonly bytes: number;
  readonly rows: number;
  /** True if rows that no schema accepts are sent, for a person to see them in the console. */
  readonly allowsInvalid: boolean;
  /** True if the caller has decided that signs which separate columns elsewhere belong to a column. */
  readonly keepsSigns?: boolean;
}

/** Separators that files have instead of commas, as people call them. */
const OTHER_SEPARATORS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** Bytes below the header in which a separator is looked for. */
const SAMPLE_BYTES = 64 * 1_024;

/** True if the service could import a file as it is. */
export function isImportable(bytes: Uint8Array, limits: FileLimits): boolean {
  return bytes.length <= limits.bytes && faultIn(bytes, limits) === null;
}

/**
 * Refuses a file that the service could not import as it is: an upload would be counted, and lost. A row that no schema accepts
 * is such a fault, because rows are approved together.
 *
 * @throws {CommandFailure} with the fault and its place, and without a name or a value of the file
 */
export function requireImportable(path: string, bytes: Uint8Array, limits: FileLimits): void {
  if (bytes.length > limits.bytes) {
    throw new CommandFailure(
      `${path} has ${bytes.length} bytes; the plan allows ${limits.bytes} in one file. Nothing was sent.`,
      { code: 'payload_too_large', exit: 'limit' },
    );
  }
  const found = faultIn(bytes, limits);
  if (found === null) return;
  throw new CommandFailure(`${path} cannot be imported. ${found.text} Nothing was sent.`, {
    code: found.code,
    exit: 'check',
    next: ['svc', 'help', 'import', 'upload'],
  });
}

interface Fault {
  readonly code: string;
  readonly text: string;
}

function faultIn(bytes: Uint8Array, limits: FileLimits): Fault | null {
  const utf8 = new Utf8Check();
  utf8.write(bytes);
  const encoding = utf8.finish();
  if (encoding !== null) return told(encoding);
  const reader = new HeaderReader();
  reader.write(bytes);
  const header = reader.finish();
  if (header.kind === 'fault') return told(header.fault, header.column);
  return (
    (limits.keepsSigns === true ? null : separatorFault(bytes, header)) ?? bodyFault(bytes, header, limits)
  );
}

type HeaderOfFile = Extract<Header, { kind: 'header' }>;

/** The fault of a header of one column, in which as below it another separator stands. */
function separatorFault(bytes: Uint8Array, { names, record: { next } }: HeaderOfFile): Fault | null {
  const [only = '', ...others] = names;
  if (others.length > 0) return null;
  const below = Buffer.from(bytes.subarray(next, next + SAMPLE_BYTES)).toString('utf8');
  const found = Object.keys(OTHER_SEPARATORS).find((each) => only.includes(each) && below.includes(each));
  if (found === undefined) return null;
  const name = OTHER_SEPARATORS[found];
  return {
    code: 'separator',
    text: `Its header is one column with ${name}. Save it with commas between the columns.`,
  };
}

function bodyFault(bytes: Uint8Array, { record: header }: HeaderOfFile, limits: FileLimits): Fault | null {
  const rows: ScannedRecord[] = [];
  let count = -1;
  const scanner = new RecordScanner((record) => {
    if (isBlank(record)) return;
    count += 1;
    if (count > 0 && count <= limits.rows) rows.push(record);
  });
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) return told(fault);
  const isEmpty = bytes.subarray(header.next).every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
  if (isEmpty) return { code: 'no_rows', text: FILE_FAULTS.no_rows };
  if (count <= limits.rows) return limits.allowsInvalid ? null : rowFault(bytes, header, rows);
  return { code: 'too_many_rows', text: `It has ${count} rows; the plan allows ${limits.rows} in one file.` };
}

/** The fault of the first row that is invalid whatever the schema says. */
function rowFault(bytes: Uint8Array, header: ScannedRecord, rows: readonly ScannedRecord[]): Fault | null {
  for (const [index, row] of rows.entries()) {
    const { line, columns } = row;
    if (row.end - row.start > RECORD_BYTES_MAX) {
      const text = `Its row in line ${line} has more than ${RECORD_BYTES_MAX} bytes.`;
      return { code: 'record_too_large', text };
    }
    if (columns !== header.columns) {
      const seen = `Line ${line} has ${counted(columns, 'column')}, the header in line ${header.line} has ${header.columns}.`;
      const below = rows.slice(index + 1);
      const isHeader =
        columns > header.columns && below.length > 0 && below.every((each) => each.columns === columns);
      return { code: 'column_count', text: isHeader ? `${seen} Is line ${line} the header?` : seen };
    }
    if (hasLargeField(bytes, row)) {
      const text = `A field of the row at line ${line} has more than ${FIELD_BYTES_MAX} bytes.`;
      return { code: 'field_too_large', text };
    }
  }
  return null;
}

function hasLargeField(bytes: Uint8Array, { start, end, columns }: ScannedRecord): boolean {
  if (end - start <= FIELD_BYTES_MAX) return false;
  const text = Buffer.from(bytes.subarray(start, end)).toString('utf8');
  return splitRecord(text, columns).some((cell) => Buffer.byteLength(cell) > FIELD_BYTES_MAX);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function told({ code, line, byteOffset }: FileFault, column?: number): Fault {
  const places = [
    line === null ? [] : [`line ${line}`],
    column === undefined ? [] : [`column ${column}`],
    byteOffset === null || column !== undefined ? [] : [`byte ${byteOffset}`],
  ].flat();
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  return { code, text: `${FILE_FAULTS[code].slice(0, -1)}${where}.` };
}
