import { findAddedSigns } from './added-signs.ts';
import { type Body, planBody } from './body.ts';
import { noteBreaks, oftenBroken } from './breaks.ts';
import { decode, type Encoding } from './decode.ts';
import {
  type Choices,
  EXAMPLES_MAX,
  type Finding,
  Findings,
  type FixFault,
  type HeaderChoice,
  type Refusal,
} from './findings.ts';
import { isValue, joinedNames } from './guess.ts';
import { type HeaderPlan, planHeader } from './header.ts';
import { kindOf } from './kind.ts';
import type { Limits } from './limits.ts';
import { LineEnds, lineCounter } from './lines.ts';
import { withoutMarks } from './marks.ts';
import { findPadding } from './padding.ts';
import type { PreviewLine } from './preview.ts';
import { requoted } from './quoting.ts';
import { type Lines, repairRow } from './repair.ts';
import { Rows } from './row-list.ts';
import { type Break, COMMA, cellsOf, type Row, readRow, rulerAt } from './rows.ts';
import { filtered } from './slices.ts';
import { STEP_CHARACTERS } from './steps.ts';
import { type Survey, surveyOf } from './survey.ts';
import { withOneTable } from './tables.ts';
import { encodedOnce } from './twice.ts';
import { withFields } from './widths.ts';
import { wordsOf } from './words.ts';
import { type WritePlan, write } from './write.ts';

/** The result of a look at a file. */
export interface Examination {
  readonly encoding: Encoding;
  /** The encodings of which the person can choose one, each with words as they are in it; none if it is known. */
  readonly encodings: readonly { readonly name: Encoding; readonly words: readonly string[] }[];
  readonly separator: string;
  /** The line of the header, and the number of rows that it takes; 0 if the file has none. */
  readonly header: HeaderChoice;
  /** The last line with a value, on which a header can stand. */
  readonly lastLine: number;
  /** The rows that are sent, each with its line in the file. */
  readonly rows: Rows;
  readonly columns: number;
  readonly findings: readonly Finding[];
  /** The refusal that a declined change leaves, or that no change can remove. */
  readonly refusal: (Refusal & { readonly canBeRemoved: boolean }) | null;
  /** Empty unless it is asked for. */
  readonly preview: readonly PreviewLine[];
  /** The file with the agreed changes; null if there are none, or the service would refuse it. */
  readonly corrected: Uint8Array<ArrayBuffer> | null;
}

/** More rows than any plan allows. */
const ROWS_MAX = 250_000;
/** More columns than a person would leave out. */
const COLUMNS_MAX = 1_000;
const COLUMN_NAME = 'Column {0}';

/**
 * Looks for what the service would refuse or misread in a file, and makes the file with the changes that a person agrees
 * to. Values stay as they are. It yields after each small part, so that a page can do other work.
 *
 * @returns null for a file that is no text or beyond every limit, or not Unicode if there is no decoder for others
 */
export function* examineWith(
  bytes: Uint8Array,
  choices: Choices,
  limits: Limits,
): Generator<void, Examination | null> {
  const decoded = yield* decode(bytes, choices.encoding ?? null, limits.decodeLegacy);
  if (decoded === null) return null;
  const findings = new Findings(choices);
  const { encoding } = decoded;
  if (encoding !== 'UTF-8') {
    const examples = yield* wordsOf(decoded.text);
    findings.add('encoding', 1, { examples, fault: 'invalid_utf8', isSure: decoded.isLikely, isShown: true });
  }
  yield;
  const marked = encoding === 'UTF-8' ? yield* encodedOnce(decoded.text, findings) : decoded.text;
  const source = yield* withoutMarks(marked, findings);
  yield;
  const kind = kindOf(source);
  if (kind !== null) return refused(encoding, kind);
  const drawn = yield* withFields(source, findings);
  const text = yield* withOneTable(yield* requoted(drawn, findings), findings);
  const examination = yield* examineTable(text, findings, { limits, encoding, source });
  const encodings: Examination['encodings'][number][] = [];
  for (const { encoding: name, sample } of decoded.readings)
    encodings.push({ name, words: yield* wordsOf(sample) });
  return examination && { ...examination, encodings };
}

interface TableContext {
  readonly limits: Limits;
  readonly encoding: Encoding;
  /** The text with its own rules of quotes. */
  readonly source: string;
}

type TableExamination = Omit<Examination, 'encodings'>;

function* examineTable(
  text: string,
  findings: Findings,
  context: TableContext,
): Generator<void, TableExamination | null> {
  const separated = yield* readSeparated(text, findings);
  // Rows that are too long leave the file to the service, but a text of one line has none.
  if (separated === null) return text.includes('\n') ? null : refused(context.encoding, 'no_rows');
  const { rows } = separated.read;
  const fault = sizeFaultOf(rows);
  if (fault === null) return yield* examineRead(text, separated, findings, context);
  const { limits, encoding } = context;
  if (fault === 'too_many_columns')
    return refused(encoding, fault, [rows.at(0)?.columns ?? 0, limits.columns]);
  return limits.rows > ROWS_MAX ? null : refused(encoding, fault, [rows.length - 1, limits.rows]);
}

/** The fault of a file that is too large to be read, or null. */
function sizeFaultOf(rows: Rows): FixFault | null {
  if (rows.length > ROWS_MAX) return 'too_many_rows';
  return (rows.at(0)?.columns ?? 0) > COLUMNS_MAX ? 'too_many_columns' : null;
}

function* examineRead(
  text: string,
  { survey, read }: Separated,
  findings: Findings,
  { limits, encoding, source }: TableContext,
): Generator<void, TableExamination | null> {
  const broken = read.broken ?? (yield* oftenBroken(read.rows));
  const place = broken === null ? headerOf(text, survey, read, findings) : { titles: 0, lines: 1 };
  const kept = yield* readAgain(text, survey, read, place);
  if (kept === null) return null;
  const { crEnds, separator } = survey.dialect;
  if (broken === null)
    yield* noteBreaks(findings, kept.rows.slice(place.titles), { blank: kept.blank, crEnds });
  const plan = yield* planOf(text, survey, { ...kept, ...place }, { findings, limits });
  const refusal = broken ?? findings.refusal ?? withoutRows(plan) ?? findings.undecided;
  const isChanged =
    refusal === null &&
    (findings.isChanged || plan.rows.length < kept.rows.length - place.titles - place.lines);
  const headerAt = place.titles + Math.max(0, place.lines - 1);
  return {
    encoding,
    separator: String.fromCharCode(separator),
    header: { line: kept.rows.at(place.titles)?.line ?? 1, lines: place.lines },
    lastLine: kept.rows.at(kept.rows.length - 1)?.line ?? 1,
    rows: plan.rows,
    columns: survey.columns,
    findings: findings.all,
    refusal: refusal && {
      ...refusal,
      // The table that the person takes can be one without the fault.
      canBeRemoved: findings.all.some(({ kind }) => broken === null || kind === 'tables'),
    },
    preview:
      limits.previewOf === undefined
        ? []
        : yield* limits.previewOf({
            plan,
            rows: kept.rows,
            headerAt,
            encoding,
            source,
            crEnds,
          }),
    corrected: isChanged ? yield* write(plan) : null,
  };
}

/** The result for a text in which no table is looked for. */
function refused(encoding: Encoding, code: FixFault, counts?: Refusal['counts']): Examination {
  return {
    encoding,
    encodings: [],
    separator: ',',
    header: { line: 1, lines: 1 },
    lastLine: 1,
    rows: new Rows(),
    columns: 0,
    findings: [],
    refusal: { code, line: null, canBeRemoved: false, ...(counts && { counts }) },
    preview: [],
    corrected: null,
  };
}

function withoutRows({ rows }: WritePlan): Refusal | null {
  return rows.length === 0 ? { code: 'no_rows', line: null } : null;
}

/** The rows of a text, up to the first one that cannot be repaired. */
interface Reading {
  readonly rows: Rows;
  /** Blank lines that break a rule. */
  readonly blank: Rows;
  /** 1 for each column with a value below the header. */
  readonly filled: Uint8Array;
  readonly broken: Refusal | null;
}

function* readAll(text: string, survey: Survey): Generator<void, Reading | null> {
  const filled = new Uint8Array(COLUMNS_MAX + 1);
  const rows = new Rows();
  const blank = new Rows();
  const { dialect, columns } = survey;
  const lines: Lines = { text, dialect, ends: new LineEnds(text, dialect.crEnds) };
  const lineAt = lineCounter(text, dialect.crEnds);
  let slice = 0;
  const isAbove = aboveTable(survey);
  for (let at = 0; at < text.length && sizeFaultOf(rows) === null; ) {
    const row = readOrRepair(lines, at, columns, filled);
    if (row === null || isTooWide(row, rows)) return null;
    const line = lineAt(at);
    if (typeof row === 'string') return { rows, blank, filled, broken: { code: row, line } };
    at = row.next;
    if (row.end > row.start) rows.push(row, line);
    else if (row.broke !== null) blank.push(row, line);
    if (isAbove(row)) filled.fill(0);
    if (at - slice >= STEP_CHARACTERS) {
      slice = at;
      yield;
    }
  }
  return { rows, blank, filled, broken: null };
}

/** True for a row below the first one with more columns than a person would leave out. */
function isTooWide(row: Row | Break, { length }: Rows): boolean {
  return length > 0 && typeof row !== 'string' && row.columns > COLUMNS_MAX;
}

/** Reads the rows below the header on which the person has decided: other columns have values there. */
function* readAgain(
  text: string,
  survey: Survey,
  read: Reading,
  { titles, lines }: HeaderPlace,
): Generator<void, Reading | null> {
  const headerStart = titles === 0 ? 0 : survey.headerStart;
  if (headerStart === survey.headerStart && lines === survey.header.lines) return read;
  return yield* readAll(text, { ...survey, headerStart, header: { ...survey.header, lines } });
}

/** Returns whether a row stands above the table or in its header, for one row after the other. */
function aboveTable({ headerStart, header }: Survey): (row: Row) => boolean {
  let left = header.lines;
  return ({ start, end, next }) => {
    if (next <= headerStart) return true;
    if (end > start) left -= 1;
    return left >= 0;
  };
}

/** Reads a row, or repairs one that breaks a rule. Returns the rule if it cannot, and null for a row that is too long. */
function readOrRepair(lines: Lines, at: number, expected: number, filled: Uint8Array): Row | Break | null {
  const { text, dialect } = lines;
  const read = rulerAt(text, at, dialect) ?? readRow(text, at, dialect, filled);
  if (typeof read !== 'string') return read;
  const row = repairRow(lines, at, { expected, broke: read });
  if (row === null) return read;
  row.repaired?.forEach((cell, column) => {
    if (cell !== '') filled[column] = 1;
  });
  return row;
}

interface Separated {
  readonly survey: Survey;
  readonly read: Reading;
}

/** Reads a text by its separator, or by commas if the person declines another one. */
function* readSeparated(text: string, findings: Findings): Generator<void, Separated | null> {
  const { separator: chosen } = findings.choices;
  const survey = yield* surveyAs(text, chosen === undefined ? null : chosen.charCodeAt(0), findings.choices);
  const { separator } = survey.dialect;
  const read = yield* readAll(text, survey);
  if (read === null || separator === COMMA) return read && { survey, read };
  const byComma = yield* surveyAs(text, COMMA, findings.choices);
  if (read.broken !== null && chosen === undefined) {
    // The service would accept the file, so this is not its separator.
    const sound = yield* readAll(text, byComma);
    if (sound !== null && (yield* isSound(byComma, sound))) return { survey: byComma, read: sound };
  }
  const examples = [String.fromCharCode(separator)];
  const { isSeparator: isSure } = survey;
  const isDecided = chosen !== undefined || findings.choices.agreed.has('separator');
  if (findings.add('separator', 1, { examples, isSure, isDecided })) return { survey, read };
  const plain = yield* readAll(text, byComma);
  return plain && { survey: byComma, read: plain };
}

/** True if no row breaks a rule of the service. */
function* isSound({ dialect }: Survey, { rows, blank, broken }: Reading): Generator<void, boolean> {
  if (dialect.crEnds || broken !== null || blank.length > 0) return false;
  return (yield* filtered(rows, ({ broke }) => broke !== null)).length === 0;
}

/** The form of a text, with the header where the person says that it is. */
function* surveyAs(text: string, separator: number | null, { header }: Choices): Generator<void, Survey> {
  const survey = yield* surveyOf(text, separator);
  if (header === undefined) return survey;
  const headerStart = yield* new LineEnds(text, survey.dialect.crEnds).skip(header.line - 1);
  return { ...survey, headerStart, header: { lines: header.lines } };
}

/** The rows above a header, and those that it takes. */
interface HeaderPlace {
  readonly titles: number;
  readonly lines: number;
}

/** The place of the header with which the person agrees. */
function headerOf(text: string, survey: Survey, { rows }: Reading, findings: Findings): HeaderPlace {
  const { headerStart, header, dialect } = survey;
  const isDecided = findings.choices.header !== undefined;
  const chosen = isDecided ? { isDecided } : {};
  let titles = 0;
  while ((rows.at(titles)?.next ?? Infinity) <= headerStart) titles += 1;
  if (titles > 0) {
    const examples = [...rows.slice(0, Math.min(titles, EXAMPLES_MAX))].map((row) => {
      const cells = cellsOf(text, row, dialect.separator);
      return cells.filter((cell) => cell.trim() !== '').join(' ');
    });
    if (!findings.add('titles', titles, { examples, line: 1, ...chosen })) return { titles: 0, lines: 1 };
  }
  const line = rows.at(titles)?.line ?? 1;
  const { lines } = header;
  if (lines === 0) {
    const first = rows.at(titles);
    const cells = first === undefined ? [] : cellsOf(text, first, dialect.separator);
    // A row of texts may be the header all the same.
    const isShown = isDecided || cells.some((cell) => isValue(cell.trim()));
    return { titles, lines: findings.add('noHeader', 1, { line, isShown, ...chosen }) ? 0 : 1 };
  }
  if (lines === 1) return { titles, lines };
  return { titles, lines: findings.add('joined', lines, { line, ...chosen }) ? lines : 1 };
}

function* planOf(
  text: string,
  { dialect, columns }: Survey,
  { rows, filled, titles, lines }: Reading & HeaderPlace,
  { findings, limits }: { readonly findings: Findings; readonly limits: Limits },
): Generator<void, WritePlan> {
  const { separator } = dialect;
  const header = lines === 0 ? null : (rows.at(titles + lines - 1) ?? null);
  const below = rows.slice(titles + lines);
  const heading = [...rows.slice(titles, titles + lines)].map((row) => cellsOf(text, row, separator));
  const own = lines === 1 ? (heading[0] ?? []) : joinedNames(heading);
  const trims = yield* findPadding(findings, { text, rows: below, separator, names: own });
  // Columns behind the last name count if most rows have them.
  const width = Math.max(own.length, below.length > 0 ? columns : 0);
  const nameOf = (at: number) => (limits.columnName ?? COLUMN_NAME).replace('{0}', String(at + 1));
  const names = [...Array(width).keys()].map((at) => own[at] ?? (lines === 0 ? nameOf(at) : ''));
  const plan: HeaderPlan = planHeader(findings, {
    names,
    named: own.length,
    line: rows.at(titles)?.line ?? 1,
    isPadded: trims,
    isByComma: separator === COMMA,
    filled,
    hasRows: below.length > 0,
    nameOf,
    limits,
  });
  const { dropped, last } = plan;
  const body: Body = yield* planBody(findings, {
    text,
    dialect,
    header,
    rows: below,
    width,
    last,
    rowsMax: limits.rows,
  });
  const isWritten = plan.isChanged || lines !== 1 || plan.names.length > own.length;
  const signs = yield* findAddedSigns(findings, { text, separator, header, rows: body.rows });
  const writtenNames = isWritten ? plan.names : null;
  return { text, separator, header, ...body, ...signs, names: writtenNames, dropped, width, last, trims };
}
