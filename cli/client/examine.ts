import { COLUMNS_MAX } from '../../schemas/csv/limits.ts';
import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import { changesMade } from '../../schemas/imports/fix/changes-made.ts';
import type { Encoding } from '../../schemas/imports/fix/decode.ts';
import type { Examination } from '../../schemas/imports/fix/examination.ts';
import { examine as examineBytes } from '../../schemas/imports/fix/examine.ts';
import {
  type Choices,
  type Finding,
  type HeaderChoice,
  NO_CHOICES,
  type Refusal,
} from '../../schemas/imports/fix/findings.ts';
import { COMMA, cellsOf, readRow } from '../../schemas/imports/fix/rows.ts';
import { inSlices } from '../../schemas/imports/fix/slices.ts';
import { wholeNumber } from './options.ts';

/** The largest file that is examined, in bytes. The memory for it is about 15 times as large. */
export const EXAMINED_BYTES_MAX: number = 16 * 1_024 * 1_024;

/** The data rows of a file on the plan Free. */
const ROWS_MAX = 10_000;

/** Options of {@link examine}. */
export interface ExamineOptions {
  /**
   * The decisions of a person. Without one, only changes of the form are made, which lose nothing. A finding with `isOpen` needs a
   * decision: until then `refusal` is `undecided`.
   */
  readonly choices?: Choices;
  /** The data rows that the plan allows; 10,000 by default. */
  readonly rowsMax?: number;
  /** Ends the examination. */
  readonly signal?: AbortSignal;
}

/** The table of a file after the agreed changes. */
export interface Table {
  /** The names of the columns. */
  readonly names: readonly string[];
  /** The number of rows below the header. */
  readonly rowCount: number;
  /** The file to upload: the given bytes if nothing had to change. */
  readonly csv: Uint8Array;
  /** Reads the rows below the header, one after the other. */
  rows(): Iterable<readonly string[]>;
}

/** The result of {@link examine}. */
export interface Examined {
  /** The changes that the file may need, each with its places, whether it is made, and whether a decision is missing. */
  readonly findings: readonly Finding[];
  /** The changes that are made, for `changes` of the reservation. Approvers see them as the word of the sender. */
  readonly changes: readonly CountedChange[];
  /** The choices that were used. With other decisions in it, a further examination makes another table. */
  readonly choices: Choices;
  /** The encoding, the separator and the lines of the header, as the file was read. */
  readonly encoding: Encoding;
  readonly separator: string;
  readonly header: HeaderChoice;
  /** The encodings that a choice can name, each with words as they are in it; none if the encoding is known. */
  readonly encodings: readonly { readonly name: Encoding; readonly words: readonly string[] }[];
  /** The reason for which the service would refuse the file, or null. A declined change may remove it. */
  readonly refusal: (Refusal & { readonly canBeRemoved: boolean }) | null;
  /** The table, or null if there is a refusal. */
  readonly table: Table | null;
}

/**
 * Looks for what the service would refuse or misread in a CSV file, as the import widget and `svc import upload --fix` do. It works
 * in steps of a few milliseconds, with other tasks of the program between them.
 *
 * @returns null for a file that is not text or far beyond the limits
 * @throws {TypeError} if `rowsMax` is not a whole number from 1
 * @throws {RangeError} for more than {@link EXAMINED_BYTES_MAX} bytes
 */
export async function examine(bytes: Uint8Array, options: ExamineOptions = {}): Promise<Examined | null> {
  const { choices = NO_CHOICES, rowsMax = ROWS_MAX, signal = new AbortController().signal } = options;
  wholeNumber('rowsMax', rowsMax);
  if (bytes.length > EXAMINED_BYTES_MAX) {
    throw new RangeError(
      `examining a file: it has ${bytes.length} bytes, expected at most ${EXAMINED_BYTES_MAX}`,
    );
  }
  const work = examineBytes(bytes, choices, { rows: rowsMax, columns: COLUMNS_MAX });
  const examination = await inSlices(work, signal);
  return examination && examinedOf(examination, bytes, choices);
}

function examinedOf(
  { findings, encoding, separator, header, encodings, refusal, rows, corrected }: Examination,
  bytes: Uint8Array,
  choices: Choices,
): Examined {
  const table = refusal === null ? tableOf(corrected ?? bytes, rows.length) : null;
  const changes = changesMade({ findings, corrected, rows }, choices);
  return { findings, changes, choices, encoding, separator, header, encodings, refusal, table };
}

function tableOf(csv: Uint8Array, rowCount: number): Table {
  const [names = []] = recordsOf(csv);
  return {
    names,
    rowCount,
    csv,
    *rows() {
      const records = recordsOf(csv);
      records.next();
      yield* records;
    },
  };
}

const DIALECT = { separator: COMMA, crEnds: false };
const NOT_COUNTED = new Uint8Array();

/** Reads the records of a file that keeps the rules of the service, the header first. */
function* recordsOf(csv: Uint8Array): Generator<readonly string[]> {
  const text = new TextDecoder().decode(csv);
  for (let at = 0; at < text.length; ) {
    const row = readRow(text, at, DIALECT, NOT_COUNTED);
    if (row === null || typeof row === 'string') throw new Error(`reading a file that was examined: ${row}`);
    at = row.next;
    if (row.end > row.start) yield cellsOf(text, row, COMMA);
  }
}
