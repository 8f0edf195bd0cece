import type { FileFaultCode } from '../imports/file-fault-texts.ts';
import type { FileFault } from '../imports/file-faults.ts';
import { splitRecord } from './cells.ts';
import { COLUMNS_MAX, FIELD_BYTES_MAX, RECORD_BYTES_MAX } from './limits.ts';
import { isBlank, RecordScanner, type ScannedRecord } from './scanner.ts';

/** The names of the columns, exactly as they stand in the file, or why the file has none that can be used. */
export type Header =
  | {
      readonly kind: 'header';
      readonly names: readonly string[];
      /** The position of the header row. */
      readonly record: ScannedRecord;
    }
  | {
      readonly kind: 'fault';
      readonly fault: FileFault;
      /** The first column at fault, from 1, where the fault is about one. */
      readonly column?: number;
    };

/** The bytes in front of a header row that its reader may hold besides the row: the BOM. */
const BOM_BYTES = 3;
const HELD_BYTES_MAX = BOM_BYTES + RECORD_BYTES_MAX;

/** Bytes that are scanned at once: a header is short, and what follows it in a chunk need not be scanned. */
const STEP_BYTES = 4 * 1024;

/**
 * Reads the header row while the bytes of a file pass, in pieces of any size.
 *
 * The header row is the first record that is not blank: a BOM and blank lines before it are skipped. A row over
 * {@link RECORD_BYTES_MAX}, a name over {@link FIELD_BYTES_MAX}, and any fault of the scan before the end of the row
 * are faults. Of several faults of the names, the number of columns is reported first, then a size, then an empty
 * name, then a repeated one. The position of all of these is the start of the row. Memory holds at most one row.
 */
export class HeaderReader {
  readonly #scanner = new RecordScanner((record) => this.#take(record));
  readonly #held = Buffer.allocUnsafeSlow(HELD_BYTES_MAX);
  /** Offset in the file of the first byte held: the start of the line that the scan is in. */
  #heldFrom = 0;
  #offset = 0;
  #record: ScannedRecord | null = null;
  #fault: FileFault | null = null;

  /** Takes the next bytes of the file. Returns true once the header is decided; further bytes are ignored. */
  write(chunk: Uint8Array): boolean {
    for (let start = 0; start < chunk.length && !this.#isDecided(); start += STEP_BYTES) {
      const step = chunk.subarray(start, start + STEP_BYTES);
      this.#fault = this.#scanner.write(step);
      this.#hold(step);
      this.#offset += step.length;
    }
    return this.#isDecided();
  }

  /**
   * The header, once it is decided or the file has ended.
   *
   * @throws {TypeError} if the names are not UTF-8, which the caller excludes with a `Utf8Check` of the whole file
   */
  finish(): Header {
    if (!this.#isDecided()) this.#fault = this.#scanner.finish();
    const record = this.#record;
    if (record === null) return { kind: 'fault', fault: this.#fault ?? NO_HEADER };
    if (record.columns > COLUMNS_MAX) return faultAt('too_many_columns', record);
    if (record.end - record.start > RECORD_BYTES_MAX) return faultAt('header_too_large', record);
    const bytes = this.#held.subarray(record.start - this.#heldFrom, record.end - this.#heldFrom);
    const names = splitRecord(DECODER.decode(bytes), record.columns);
    const fault = faultOf(names);
    return fault === null ? { kind: 'header', names, record } : faultAt(fault.code, record, fault.column);
  }

  #isDecided(): boolean {
    return this.#record !== null || this.#fault !== null;
  }

  #take(record: ScannedRecord): void {
    if (this.#record !== null) return;
    if (isBlank(record)) this.#heldFrom = record.next;
    else this.#record = record;
  }

  /** Copies what may belong to the header row, because the caller may reuse the memory. */
  #hold(step: Uint8Array): void {
    const from = Math.max(this.#heldFrom, this.#offset);
    const at = from - this.#heldFrom;
    if (at < HELD_BYTES_MAX)
      this.#held.set(step.subarray(from - this.#offset).subarray(0, HELD_BYTES_MAX - at), at);
  }
}

/** Reads the header of a file that is known to be UTF-8. Reads no further than the header row. */
export async function readHeader(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Header> {
  const reader = new HeaderReader();
  for await (const chunk of chunks) if (reader.write(chunk)) break;
  return reader.finish();
}

/** Names are compared code unit by code unit, and only the empty string is empty. */
function faultOf(names: readonly string[]): { readonly code: FileFaultCode; readonly column: number } | null {
  const faults: readonly [FileFaultCode, number][] = [
    ['header_too_large', names.findIndex((name) => Buffer.byteLength(name) > FIELD_BYTES_MAX)],
    ['empty_header', names.indexOf('')],
    ['duplicate_header', names.findIndex((name, index) => names.indexOf(name) < index)],
  ];
  const found = faults.find(([, index]) => index !== -1);
  return found === undefined ? null : { code: found[0], column: found[1] + 1 };
}

/** U+FEFF inside of the header row is part of a name. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The fault of a file without any record. It has no place in the file. */
const NO_HEADER: FileFault = { code: 'no_header', line: null, byteOffset: null };

function faultAt(code: FileFaultCode, record: ScannedRecord, column?: number): Header {
  return {
    kind: 'fault',
    fault: { code, line: record.line, byteOffset: record.start },
    ...(column !== undefined && { column }),
  };
}
