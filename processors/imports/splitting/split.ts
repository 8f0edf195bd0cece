import { createHash, type Hash } from 'node:crypto';
import { digestsEqual } from '../../../schemas/base/digest.ts';
import { isBlank, RecordScanner, type ScannedRecord } from '../../../schemas/csv/scanner.ts';
import { UploadCheck } from '../../../schemas/csv/upload-check.ts';
import type { FileFault } from '../../../schemas/imports/file-faults.ts';
import type { PartitionRange } from '../../../schemas/imports/work-items.ts';
import { artifactFrameBound, artifactRowBound } from './artifact-bound.ts';
import { PartitionCutter } from './partition-cutter.ts';

/** The bytes of a file in order, in pieces of any size. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The facts about a file before it is read. */
export interface SplitExpectations {
  readonly byteLength: number;
  readonly sha256: string;
  /** Data rows that the plan allows. */
  readonly rowsMax: number;
  /** Bytes that a row takes in an artifact around its cells' bytes: `FieldTypes.rowBound` of the schema's fields. */
  readonly rowBound: number;
}

export type SplitResult =
  | {
      readonly kind: 'split';
      readonly header: { readonly columns: number };
      /** Data records, valid or not. */
      readonly rows: number;
      /** Every blank line of the file; those before the header are in no partition. */
      readonly blank: number;
      readonly partitions: readonly PartitionRange[];
      /** The artifacts of one validation of the whole file are never larger together, whatever the mapping is. */
      readonly artifactBytesBound: number;
    }
  | { readonly kind: 'fault'; readonly fault: FileFault };

/**
 * Cuts a file into partitions in one pass.
 *
 * Invalid UTF-8 beats every other fault, then one of the header, as they do at the end of the upload; of the others the
 * first in file order wins. The result is the same for every way to cut the file. The file is read to its end even after
 * a fault: a verdict counts only about the bytes that were announced.
 *
 * @throws {Error} when length or digest of the bytes are not those announced
 */
export async function splitFile(chunks: Chunks, expectations: SplitExpectations): Promise<SplitResult> {
  const splitter = new Splitter(expectations);
  for await (const chunk of chunks) splitter.write(chunk);
  return splitter.finish();
}

class Splitter {
  readonly #expectations: SplitExpectations;
  readonly #digest: Hash = createHash('sha256');
  readonly #check = new UploadCheck();
  readonly #scanner = new RecordScanner((record) => this.#take(record));
  readonly #cutter = new PartitionCutter();
  #byteLength = 0;
  #header: ScannedRecord | null = null;
  #blank = 0;
  #rowsBound = 0;
  #tooManyRows: FileFault | null = null;

  constructor(expectations: SplitExpectations) {
    this.#expectations = expectations;
  }

  write(chunk: Uint8Array): void {
    this.#byteLength += chunk.length;
    this.#digest.update(chunk);
    this.#check.write(chunk);
    this.#scanner.write(chunk);
  }

  finish(): SplitResult {
    this.#checkAnnounced();
    const header = this.#check.finish();
    if (header.kind === 'fault') return { kind: 'fault', fault: header.fault };
    const scanFault = this.#scanner.finish();
    const fault = this.#tooManyRows ?? scanFault;
    if (fault !== null) return { kind: 'fault', fault };
    const partitions = this.#cutter.finish();
    if (partitions.length === 0) return { kind: 'fault', fault: NO_ROWS };
    return {
      kind: 'split',
      header: { columns: header.record.columns },
      rows: this.#cutter.rows,
      blank: this.#blank,
      partitions,
      artifactBytesBound: this.#rowsBound + artifactFrameBound(partitions.length),
    };
  }

  #take(record: ScannedRecord): void {
    // What follows the first row too many can neither change the verdict nor may it grow the list of partitions.
    if (this.#tooManyRows !== null) return;
    const blank = isBlank(record);
    if (blank) this.#blank += 1;
    if (this.#header === null) {
      if (!blank) this.#header = record;
      return;
    }
    if (blank) {
      this.#cutter.add(record);
      return;
    }
    if (this.#cutter.rows === this.#expectations.rowsMax) {
      this.#tooManyRows = { code: 'too_many_rows', line: record.line, byteOffset: record.start };
      return;
    }
    this.#cutter.add(record);
    this.#rowsBound += artifactRowBound(record, this.#header.columns, this.#expectations.rowBound);
  }

  #checkAnnounced(): void {
    const { byteLength, sha256 } = this.#expectations;
    if (this.#byteLength !== byteLength || !digestsEqual(this.#digest.digest('hex'), sha256)) {
      throw new Error('reading a source whose bytes are not those that were announced');
    }
  }
}

const NO_ROWS: FileFault = { code: 'no_rows', line: null, byteOffset: null };
