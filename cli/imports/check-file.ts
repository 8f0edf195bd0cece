import { type Header, HeaderReader } from '../../schemas/csv/header.ts';
import { isBlank, RecordScanner } from '../../schemas/csv/scanner.ts';
import { Utf8Check } from '../../schemas/csv/utf8.ts';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import type { FileFault } from '../../schemas/imports/file-faults.ts';
import { CommandFailure } from '../failure.ts';

/** The limits of the plan for one file. */
export interface FileLimits {
  readonly bytes: number;
  readonly rows: number;
}

/** Separators that files have instead of commas, as people call them. */
const OTHER_SEPARATORS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/**
 * Refuses a file that the service could not import as it is: an upload would be counted, and lost.
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
  const found = faultIn(bytes, limits.rows);
  if (found === null) return;
  throw new CommandFailure(`${path} cannot be imported. ${found.text} Nothing was sent.`, {
    code: found.code,
    exit: 'check',
  });
}

interface Fault {
  readonly code: string;
  readonly text: string;
}

function faultIn(bytes: Uint8Array, rowsMax: number): Fault | null {
  const utf8 = new Utf8Check();
  utf8.write(bytes);
  const encoding = utf8.finish();
  if (encoding !== null) return told(encoding);
  const reader = new HeaderReader();
  reader.write(bytes);
  const header = reader.finish();
  if (header.kind === 'fault') return told(header.fault, header.column);
  return separatorFault(header.names) ?? bodyFault(bytes, header, rowsMax);
}

function separatorFault(names: readonly string[]): Fault | null {
  const [only = ''] = names;
  const found =
    names.length > 1 ? undefined : Object.keys(OTHER_SEPARATORS).find((each) => only.includes(each));
  if (found === undefined) return null;
  const name = OTHER_SEPARATORS[found];
  return {
    code: 'separator',
    text: `Its header is one column with ${name}. Save it with commas between the columns.`,
  };
}

function bodyFault(
  bytes: Uint8Array,
  { record: { next } }: Extract<Header, { kind: 'header' }>,
  rowsMax: number,
): Fault | null {
  let records = 0;
  const scanner = new RecordScanner((record) => {
    if (!isBlank(record)) records += 1;
  });
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) return told(fault);
  const isEmpty = bytes.subarray(next).every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
  if (isEmpty) return { code: 'no_rows', text: FILE_FAULTS.no_rows };
  const rows = records - 1;
  if (rows <= rowsMax) return null;
  return { code: 'too_many_rows', text: `It has ${rows} rows; the plan allows ${rowsMax} in one file.` };
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
