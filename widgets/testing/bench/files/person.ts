import { readRows } from '../../../../schemas/csv/cells.ts';
import { RecordScanner } from '../../../../schemas/csv/scanner.ts';
import { UploadCheck } from '../../../../schemas/csv/upload-check.ts';
import type { Examination } from '../../../../schemas/imports/fix/examination.ts';
import { examine } from '../../../../schemas/imports/fix/examine.ts';
import { type Choices, NO_CHOICES } from '../../../../schemas/imports/fix/findings.ts';
import type { Limits } from '../../../../schemas/imports/fix/limits.ts';

/** A table: the names of its columns, then its rows. */
export type Table = readonly (readonly string[])[];

/** The table that is in a file. */
export interface Expected {
  readonly rows: Table;
  /** The part of a cell that counts. */
  readonly plain: (cell: string) => string;
  /** True if the names count, those that are not empty. Otherwise a person maps the columns by hand. */
  readonly hasNames: boolean;
}

/** A cell without the white space around it. */
export function trimmed(cell: string): string {
  return cell.replace(/\s+/g, ' ').trim();
}

/** The end of one import. */
export interface Outcome {
  readonly kind: 'right' | 'otherwise' | 'refused';
  /** The difference, the reason for the refusal, or the changes with which it is right. */
  readonly words: string;
  readonly choices: Choices;
  /** The bytes that are sent. */
  readonly sent: Uint8Array;
}

/** The limits of a plan. */
export const LIMITS: Limits = { rows: 10_000, columns: 100 };

/** The end of words about rows that are refused one by one. */
const UNREAD = 'rows cannot be read';
/** Lines of a header that a person looks at. */
const HEADER_LINES_MAX = 13;
/** Lines that a person leaves out one by one. */
const LEFT_OUT_MAX = 50;

/** Imports a file as a person does who knows the table in it, and makes the choices that lead to it where they are offered. */
export function importFile(bytes: Uint8Array, table: Expected): Outcome {
  const expected = withoutRepeats(table.rows);
  let best: Outcome | null = null;
  for (const choices of ways(bytes, expected, NO_CHOICES)) {
    const next = outcomeOf(bytes, { ...table, rows: expected }, decidedAsShown(bytes, choices));
    if (next.kind === 'right') return next;
    if (best === null || best.kind === 'refused') best = next;
  }
  if (best === null) throw new Error('importing a file in no way');
  return best;
}

/** The end of an import without a person. */
export interface Unasked extends Outcome {
  /** True if another table arrives, with no row that is refused. */
  readonly isLost: boolean;
}

/** Imports a file as a program does which decides about nothing. */
export function importUnasked(bytes: Uint8Array, table: Expected): Unasked {
  const outcome = outcomeOf(bytes, { ...table, rows: withoutRepeats(table.rows) }, NO_CHOICES);
  return { ...outcome, isLost: outcome.kind === 'otherwise' && !outcome.words.endsWith(UNREAD) };
}

/** True if a person is asked about a file. */
export function isAsked(bytes: Uint8Array): boolean {
  return examined(bytes, NO_CHOICES)?.findings.some(({ isOpen }) => isOpen) !== false;
}

/** True if the service takes a file as it is, with as many cells in each row. */
export function isTaken(bytes: Uint8Array): boolean {
  const read = readByService(bytes);
  return typeof read !== 'string' && read.every(({ length }) => length === read[0]?.length);
}

/** A table as plain CSV. */
export function csvOf(rows: Table): string {
  const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

/** Imports a file as {@link importFile} does, the rows beyond the limit too: each part of them is a separate import. */
export function importParts(bytes: Uint8Array, table: Expected): Outcome[] {
  const first = importFile(bytes, table);
  if (first.kind !== 'right' || first.choices.agreed.get('rows') !== true) return [first];
  const rows = withoutRepeats(table.rows);
  const count = Math.ceil(rows.slice(1).filter(isFilled).length / LIMITS.rows);
  const others = Array.from({ length: count - 1 }, (_, at) =>
    outcomeOf(bytes, { ...table, rows }, { ...first.choices, part: at + 2 }),
  );
  return [first, ...others];
}

/** The choices to try, what is shown first. */
function* ways(bytes: Uint8Array, expected: Table, start: Choices): Generator<Choices> {
  yield start;
  const first = examined(bytes, start);
  if (first?.refusal?.canBeRemoved === false) return;
  const isOpen = first?.findings.some((finding) => finding.kind === 'encoding' && finding.isOpen);
  if (isOpen === true && first !== null && first.encodings.length > 0 && start.encoding === undefined) {
    for (const { name } of first?.encodings ?? []) yield* ways(bytes, expected, { ...start, encoding: name });
    return;
  }
  const lines = linesOf(bytes);
  const known = expected
    .slice(1)
    .map(signOf)
    .filter((sign) => sign !== '');
  for (const header of [undefined, ...headers(lines, expected)]) {
    const headed = refined(bytes, known, header === undefined ? start : { ...start, header });
    yield headed;
    const from = examined(bytes, headed)?.header ?? { line: 1, lines: 0 };
    const others = othersIn(lines, known, from.line + from.lines);
    if (others.length <= LEFT_OUT_MAX) yield { ...headed, leftOut: leaving(others) };
  }
}

/** The lines from one on that are no rows of the table, or the place where the table is no longer followed. */
function othersIn(lines: readonly string[], known: readonly string[], from: number): number[] {
  const others: number[] = [];
  let at = 0;
  let rest = known[0] ?? '';
  for (let line = from; line <= lines.length; line += 1) {
    const text = lines[line - 1] ?? '';
    const sign = signOf([text]);
    if (/^[\s,;|"]*$/.test(text)) continue;
    // A currency below the header, say, is a row of none of the letters that are compared.
    if (sign === '' || !rest.startsWith(sign)) others.push(line);
    else rest = rest.slice(sign.length);
    // A row can take several lines.
    if (rest === '') rest = known[++at] ?? '';
  }
  return others;
}

/** The choices with decisions about rows and columns that the table does not have. */
function refined(bytes: Uint8Array, known: readonly string[], start: Choices): Choices {
  const kinds = examined(bytes, start)?.findings.map(({ kind }) => kind) ?? [];
  const agreed = new Map(start.agreed);
  for (const kind of ['encoding', 'singleQuotes', 'separator', 'fill', 'columns', 'rows'] as const)
    if (kinds.includes(kind)) agreed.set(kind, true);
  const notes = examined(bytes, { ...start, agreed })?.findings.find(({ kind }) => kind === 'notes');
  const others = notes?.parts.filter(({ text }) => !isIn(known, text)) ?? [];
  return { ...start, agreed, leftOut: leaving(others.map(({ at }) => at)) };
}

function leaving(lines: readonly number[]): ReadonlyMap<number, boolean> {
  return new Map(lines.map((line) => [line, true]));
}

/** True for the text of a row of the table, or its start. */
function isIn(known: readonly string[], text: string): boolean {
  const sign = signOf([text]);
  return sign === '' || known.some((row) => row.startsWith(sign));
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
}

/** Headers that end above the first row of the table. */
function headers(lines: readonly string[], expected: Table): NonNullable<Choices['header']>[] {
  const first = lines.findIndex(
    (line) => signOf([line]) !== '' && signOf([line]) === signOf(expected[1] ?? []),
  );
  if (first === -1) return [];
  const filled = [...lines.keys()].filter((at) => at < first && lines[at] !== '').reverse();
  const above = filled.slice(0, HEADER_LINES_MAX).map((at, index) => ({ line: at + 1, lines: index + 1 }));
  return [{ line: first + 1, lines: 0 }, ...above];
}

/** The choices with a decision about each other finding, as it is shown. */
function decidedAsShown(bytes: Uint8Array, choices: Choices): Choices {
  const agreed = new Map(choices.agreed);
  for (;;) {
    const open = examined(bytes, { ...choices, agreed })?.findings.filter(({ isOpen }) => isOpen) ?? [];
    if (open.length === 0) return { ...choices, agreed };
    for (const { kind, isAgreed } of open) agreed.set(kind, isAgreed);
  }
}

function outcomeOf(bytes: Uint8Array, expected: Expected, choices: Choices): Outcome {
  const examination = examined(bytes, choices);
  const sent = examination?.corrected ?? bytes;
  const ends = (kind: Outcome['kind'], words: string): Outcome => ({ kind, words, choices, sent });
  if (examination === null) return ends('refused', 'no text');
  if (examination.refusal !== null) return ends('refused', examination.refusal.code);
  const read = readByService(sent);
  if (typeof read === 'string') return ends('refused', read);
  const difference = differenceOf(read, expected, { ...examination, part: choices.part ?? 1 });
  return difference === null
    ? ends('right', chosenWords(examination, choices))
    : ends('otherwise', difference);
}

function chosenWords({ findings }: Examination, { header }: Choices): string {
  const kinds = findings.flatMap(({ kind, isAgreed, parts }) =>
    isAgreed || parts.some((part) => part.isAgreed) ? [kind] : [],
  );
  return [...(header === undefined ? [] : [`header ${header.line}+${header.lines}`]), ...kinds].join(', ');
}

function examined(bytes: Uint8Array, choices: Choices): Examination | null {
  const work = examine(bytes, choices, LIMITS);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The table as the service reads it, or the code for which it refuses the file. */
function readByService(bytes: Uint8Array): string | Table {
  const check = new UploadCheck();
  check.write(bytes);
  const header = check.finish();
  if (header.kind === 'fault') return header.fault.code;
  const scanner = new RecordScanner(() => undefined);
  const fault = scanner.write(bytes) ?? scanner.finish();
  if (fault !== null) return fault.code;
  const rows = readRows(bytes, { offset: 0, line: 1 }).rows.flatMap(({ cells }) =>
    cells === null ? [] : [cells],
  );
  if (rows.length < 2) return 'no_rows';
  return rows.length - 1 > LIMITS.rows ? 'too_many_rows' : rows;
}

/** The first difference between a table and the one that is expected, or null. */
function differenceOf(
  table: Table,
  { rows: expected, plain, hasNames }: Expected,
  { findings, part }: Pick<Examination, 'findings'> & { readonly part: number },
): string | null {
  const [names = [], ...rows] = table;
  const isPart = findings.some(({ kind, isAgreed }) => kind === 'rows' && isAgreed);
  const wanted = wantedRows(expected, isPart ? part : null);
  const own = rows.filter(isFilled);
  const odd = own.filter(({ length }) => length !== names.length).length;
  if (odd > 0) return `${odd} of ${own.length} ${UNREAD}`;
  if (own.length !== wanted.length) return `${own.length} rows for ${wanted.length}`;
  const places = keptPlaces(findings, expected, names.length);
  const otherName = hasNames ? nameDifference(names, places, expected[0] ?? []) : null;
  if (otherName !== null) return otherName;
  for (const [at, row] of own.entries()) {
    const other = wanted[at] ?? [];
    for (const [column, place] of places.entries()) {
      if (plain(row[column] ?? '') !== plain(other[place] ?? ''))
        return `row ${at + 1}, column ${column + 1}: ${row[column]} for ${other[place]}`;
    }
  }
  return null;
}

/** The rows of a table, or one part of them. */
function wantedRows([, ...rows]: Table, part: number | null): Table {
  const filled = rows.filter(isFilled);
  return part === null ? filled : filled.slice((part - 1) * LIMITS.rows, part * LIMITS.rows);
}

function nameDifference(
  names: readonly string[],
  places: readonly number[],
  expected: readonly string[],
): string | null {
  const column = places.findIndex((place, at) => {
    const name = trimmed(expected[place] ?? '');
    return name !== '' && name !== trimmed(names[at] ?? '');
  });
  return column === -1 ? null : `${names[column]} for ${expected[places[column] ?? 0]}`;
}

/** The columns of the expected table that stay. */
function keptPlaces(findings: Examination['findings'], expected: Table, count: number): number[] {
  const columns = findings.find(({ kind }) => kind === 'columns');
  if (columns !== undefined) return columns.parts.filter(({ isAgreed }) => !isAgreed).map(({ at }) => at);
  const width = expected.reduce((most, { length }) => Math.max(most, length), 0);
  const all = Array.from({ length: width }, (_, at) => at);
  // Columns without a value were left out, the nameless ones first.
  const filled = all.filter((at) => expected.slice(1).some((row) => trimmed(row[at] ?? '') !== ''));
  const named = all.filter((at) => filled.includes(at) || trimmed(expected[0]?.[at] ?? '') !== '');
  return [all, named, filled].find(({ length }) => length <= count) ?? filled;
}

/** The rows without those that repeat the header, which are no rows of the table. */
function withoutRepeats([names = [], ...rows]: Table): Table {
  return [names, ...rows.filter((row) => signOf(row) !== signOf(names) || signOf(row) === '')];
}

function isFilled(row: readonly string[]): boolean {
  return row.some((cell) => cell.trim() !== '');
}

/** The letters and digits of a row, for comparing rows in different forms; of ASCII only, which every encoding has, if there are some. */
function signOf(cells: readonly string[]): string {
  const row = cells.join('');
  return row.replace(/[^\w.]/g, '') || row.replace(/\P{L}/gu, '');
}
