import { lackingRows } from './edges.ts';
import type { Findings, Part } from './findings.ts';
import { isText, isValue } from './guess.ts';
import type { ListedRow, Rows } from './row-list.ts';
import { cellsOf, type Dialect, fieldEnd, type Row } from './rows.ts';
import { each, filtered, lastIndex, startsOf } from './slices.ts';
import { sumsAtEdges } from './sums.ts';

/** The rows below a header, and what makes a row one of the table. */
export interface Table {
  readonly text: string;
  readonly dialect: Dialect;
  /** The last row of the header; null if there is none. */
  readonly header: ListedRow | null;
  readonly rows: Rows;
  /** The number of columns, with those that are left out. */
  readonly width: number;
  /** The last column that a row has to reach: those behind it have neither a name nor a value. */
  readonly last: number;
  /** The number of rows that are accepted. */
  readonly rowsMax: number;
}

/** The rows that stay, and how they are written. */
export interface Body {
  readonly rows: Rows;
  /** Rows with too few fields get empty ones. */
  readonly fills: boolean;
  /** Empty fields behind the last column are left out. */
  readonly cuts: boolean;
}

/** Rows that are shown for a decision about each. */
const NOTES_MAX = 100;
/** The largest share of rows that are taken for notes: more are rows of another form. */
const NOTES_SHARE_MAX = 0.5;
/** The largest share of rows without a digit that may be headers. */
const WORDS_SHARE_MAX = 0.05;
/** The same for those at which the kind of a column turns. */
const TURNS_SHARE_MAX = 0.2;
/** Rows that show the kind of the values in the first column, and the least share of values among them. */
const SAMPLE_ROWS = 200;
const VALUES_SHARE_MIN = 0.9;
/** The line of formats below the names of the U.S. Geological Survey. */
const FORMATS = /^(\d+[sdn](\t|$))+$/;
/** A line of dashes below the names, as wide as the columns. */
const DASHES = /^(?=.*---)-[-+,;|^~\s]*$/;
/** A cell that begins with a digit. */
const VALUE_START = /(?:^|[^\p{L}\p{Nd}])\p{Nd}/u;
const TEXT_MAX = 120;
/** A longer text says something else. */
const TOTAL_MAX = 60;
/** The first text of a line that has the sums or the mean of other lines, in many languages; in some, behind the name of a group. */
const TOTAL =
  /^(?:grand[ -]|sub-?)?totals?\b|^(?:итого|всего|summe|gesamt|razem|celkem|toplam|totaa?l[ei]?)(?!\p{L})|(?:^|[\s:])(?:sub)?(?:totaa?l[ei]?|\p{L}*(?:summe|ergebnis)|s[ou]mm?[ea]?|(?:ins)?gesamt|(?:iš )?viso|kopā|razem|celkem|spolu|toplam|cəmi|jami|барлығы|итого|всего|усього|разом|сумма|σύνολο|общо|всичко|вкупно|(?:sve)?ukupno|укупно|skupaj|összesen|yhteensä|kokku|i alt|samtals|gjithsej|guztira|jumlah?|kabuuan|cyfanswm|iomlán|tổng(?: cộng)?|ընդամենը|ჯამი|სულ|нийт|المجموع|[إا]لإ?جمالي|جمع(?: کل)?|کل|סה"כ|कुल|योग|एकूण|जम्मा|মোট|கூடுதல்|மொத்தம்|మొత్తం|ಒಟ್ಟು|ആകെ|કુલ|ਕੁੱਲ|එකතුව|សរុប|ລວມ|စုစုပေါင်း|รวม(?:ทั้งสิ้น)?|ድምር)(?:[:(].*)?$|^[总總小合]?[計计][:：]?$|^[총합소]계/iu;
/** The same for a line that has the mean or the median of others; other words before or behind are groups of the pattern. */
const MEAN =
  /^(.*\P{L}|\p{Lo}+)?(?:average|mean|median|mittelwert|\p{L}*(?:durchschnitt|gennemsnitt|genomsnitt|gjennomsnitt)|moyenne|m[eé]di[ae]n?a?|promedio|gemiddelde?|średnia|průměr|átlag|ortalama|keskiarvo|средн\p{L}+|μέσος(?: όρος)?|平均値?|평균|المتوسط|ממוצע)(?:\P{L}*(?:$|\()|(\P{L}.*))/iu;
/** The last rows, in which a word for a mean may stand among others. */
const LAST_ROWS = 3;
/** A cell about the balance of an account, or its turnover, in a line of any cells. */
const BALANCE =
  /(?:^|[,;\t|"])(?:(?:\w+ing|previous) balance|balance [bcf]\S+|(?:\p{L}+ )?(?:\p{L}*(?:saldo|繰越|残高|[余餘][额額]|结余|이월|잔액|رصيد)|solde|sold (?:ini|fin|prec)\p{L}+|rulaj|likut\p{L}+|apyvarta|atlikums|apgrozījums|zůstatek|zostatok|obrat|stanje|стање|egyenleg|bakiye|qalıq|qoldiq|қалдық|остаток|залишок|саль?до|обороти?ы?|наличност|υπόλοιπο|käive|staða|gjendja|số dư|ยอด(?:ยกมา|คงเหลือ|ยกไป)|शेष|জের|مانده|יתר[הת]|ნაშთი|մնացորդ))(?!\p{L})/iu;

/** Finds rows that are no rows of the table, or have another number of fields, and applies the decisions about them. */
export function* planBody(findings: Findings, table: Table): Generator<void, Body> {
  const named = yield* withoutNotes(findings, table, yield* withoutEmpty(findings, table));
  const { width, last } = table;
  const first = (rows: Rows): number | null => rows.at(0)?.line ?? null;
  const stray = yield* filtered(named, (row) => row.columns > width && isEmptyBehind(table, row));
  const cuts = stray.length > 0 && findings.add('extras', stray.length, { line: first(stray) });
  const short = yield* filtered(named, ({ columns }) => columns <= last);
  const fills =
    short.length > 0 && findings.add('fill', short.length, { line: first(short), isShown: false });
  return { rows: partOf(findings, table, named), fills, cuts };
}

/** True if a row has nothing but white space behind the last column. */
function isEmptyBehind({ text, dialect, width }: Table, row: Row): boolean {
  return cellsOf(text, row, dialect.separator)
    .slice(width)
    .every((cell) => cell.trim() === '');
}

function* withoutEmpty(findings: Findings, { rows, width }: Table): Generator<void, Rows> {
  const empty = yield* filtered(rows, ({ values }) => values === 0 && width > 1);
  const first = empty.at(0);
  if (first === undefined || !findings.add('emptyRows', empty.length, { line: first.line })) return rows;
  return yield* filtered(rows, ({ values }) => values > 0);
}

/** Leaves out the rows of which a person decides that they are none. Without a decision, all rows stay. */
function* withoutNotes(findings: Findings, table: Table, rows: Rows): Generator<void, Rows> {
  const { agreed, leftOut } = findings.choices;
  const notes = yield* notesOf(table, rows);
  const decided = yield* rowsAtLines(table, leftOut ?? new Map());
  const isListed = ({ start }: Row) => notes.has(start) || decided.get(start) === true;
  const isOut = ({ start }: Row) => decided.get(start) ?? agreed.get('notes') ?? false;
  const all = yield* filtered(rows, isListed);
  if (all.length === 0) return rows;
  const kept = yield* filtered(rows, (row) => !(isListed(row) && isOut(row)));
  const parts = [...all.slice(0, NOTES_MAX)].map(
    (row): Part => ({
      at: row.line,
      text: table.text.slice(row.start, row.end).slice(0, TEXT_MAX),
      isAgreed: isOut(row),
    }),
  );
  findings.add('notes', all.length, {
    parts,
    isNeeded: notes.size > 0,
    isAgreed: kept.length + all.length === rows.length,
    isDecided: agreed.has('notes') || [...notes].every((start) => decided.has(start)),
  });
  return kept;
}

/** Rows that may be titles, totals, footnotes or repeated headers: by their number of fields, by their words, and by how empty they are. */
function* notesOf(table: Table, rows: Rows): Generator<void, ReadonlySet<number>> {
  const { text, dialect, header, width, last } = table;
  const { separator } = dialect;
  const names = header === null ? null : text.slice(header.start, header.end);
  const isLong = (row: Row) => row.columns > width && !isEmptyBehind(table, row);
  const counts: number[] = [];
  const odd = yield* filtered(rows, (row) => {
    counts[row.values] = (counts[row.values] ?? 0) + 1;
    return row.columns <= last || isLong(row);
  });
  const usual = medianOf(counts, rows.length);
  const isFew = odd.length <= NOTES_SHARE_MAX * rows.length;
  const notes = yield* startsOf(isFew ? odd : yield* footnotesOf(table, rows));
  const totals = yield* totalsOf(table, rows);
  const balances = yield* fewOf(rows, (row) => BALANCE.test(text.slice(row.start, row.end)));
  const end = yield* lastIndex(
    rows,
    ({ start, values }) => !notes.has(start) && values * 2 > usual && !totals.has(start),
  );
  const withoutDigits = yield* wordsAmongNumbers(table, rows);
  const lacking = yield* lackingRows(text, separator, rows);
  const sumsOfOthers = yield* sumsAtEdges(text, separator, rows);
  const firstOf = ({ start, end }: Row) =>
    plainOf(text.slice(start, Math.min(end, fieldEnd(text, start, separator))));
  const isFirstValued = yield* beginWithValues(rows.slice(0, (rows.length + 1) >> 1), firstOf);
  const words = (yield* lastIndex(rows, (row) => !isFirstValued || !isText(firstOf(row)))) + 1;
  const isUnnamed = (row: Row) => !firstOf(row);
  // A row with a text and most values is a record that lacks its first cell.
  const isSum = (row: Row) =>
    (usual > 2 && row.values * 2 <= usual) ||
    cellsOf(text, row, separator).every((cell) => !isText(cell.trim()));
  const unnamed = yield* filtered(rows, isUnnamed);
  const named = rows.length - unnamed.length;
  // If nearly all others begin with something, the rest may be sums of them, or balances before and behind them.
  const isRare = unnamed.length * 2 <= named;
  const areLast = (yield* lastIndex(rows, (row) => !isUnnamed(row))) === named - 1;
  yield* each(rows, (row, at) => {
    const isHeader = names?.length === row.end - row.start && text.startsWith(names, row.start);
    const isTitle = row.values === 1 && usual > 2;
    const isNameless = isRare && isUnnamed(row) && (areLast || row.values < usual) && isSum(row);
    const isBelow = at >= words || (at > end && row.values < usual);
    const isKnown = [totals, balances, withoutDigits, lacking, sumsOfOthers].some((starts) =>
      starts.has(row.start),
    );
    if (isHeader || isTitle || isBelow || isKnown || isNameless) notes.add(row.start);
  });
  const { start = 0, end: endOfFirst = 0 } = rows.at(0) ?? {};
  const first = text.slice(start, endOfFirst);
  if (FORMATS.test(first) || DASHES.test(first)) notes.add(start);
  return notes;
}

/** True if nearly all rows begin with a value. */
function* beginWithValues(rows: Rows, firstOf: (row: ListedRow) => string): Generator<void, boolean> {
  const first: string[] = [];
  yield* each(rows.slice(0, SAMPLE_ROWS), (row) => {
    const cell = firstOf(row);
    if (cell !== '') first.push(cell);
  });
  return first.length > 1 && first.filter(isValue).length >= VALUES_SHARE_MIN * first.length;
}

/** The value in the middle of a number of values, which are counted by value. */
function medianOf(counts: readonly number[], all: number): number {
  let left = all >> 1;
  for (let value = 0; value < counts.length; value += 1) {
    left -= counts[value] ?? 0;
    if (left < 0) return value;
  }
  return 0;
}

/** The few rows of words in a table of numbers: they can be a header, all the more if a column has texts on one side of it alone. */
function* wordsAmongNumbers(
  { text, width, dialect }: Table,
  rows: Rows,
): Generator<void, ReadonlySet<number>> {
  const words = yield* filtered(rows, ({ start, end }) => !VALUE_START.test(text.slice(start, end)));
  if (width < 2 || words.length > TURNS_SHARE_MAX * rows.length) return new Set();
  if (words.length <= WORDS_SHARE_MAX * rows.length) return yield* startsOf(words);
  const cellsAt = (at: number) =>
    [...rows.slice(at, at + 1)].flatMap((row) => cellsOf(text, row, dialect.separator));
  const turns = yield* filtered(rows, ({ start }, at) => {
    if (at === 0 || !words.has(start)) return false;
    const below = cellsAt(at + 1);
    return cellsAt(at - 1).some(
      (cell, place) => cell && below[place] && isText(cell) !== isText(below[place]),
    );
  });
  return yield* startsOf(turns);
}

/** The last rows, as long as they are short and have one value. */
function* footnotesOf({ last }: Table, rows: Rows): Generator<void, Rows> {
  return rows.slice((yield* lastIndex(rows, ({ columns, values }) => columns > last || values > 1)) + 1);
}

/** The rows that begin with the word for a total, unless most rows do. */
function* totalsOf({ text, dialect }: Table, rows: Rows): Generator<void, ReadonlySet<number>> {
  return yield* fewOf(rows, (row, at) => {
    const first = row.values > 1 ? firstText(text, row, dialect.separator) : '';
    if (first.length > TOTAL_MAX) return false;
    const mean = MEAN.exec(first);
    const isMean = mean !== null && (at >= rows.length - LAST_ROWS || (mean[1] ?? mean[2]) === undefined);
    // The last row can count those above: `Results from 4 campaigns`.
    const isCount = at === rows.length - 1 && ` ${first}`.includes(` ${at} `);
    return TOTAL.test(first) || isMean || isCount;
  });
}

/** The starts of the rows that meet a condition, unless most rows do. */
function* fewOf(
  rows: Rows,
  meets: (row: ListedRow, at: number) => boolean,
): Generator<void, ReadonlySet<number>> {
  const few = yield* filtered(rows, meets);
  return few.length <= NOTES_SHARE_MAX * rows.length ? yield* startsOf(few) : new Set();
}

/** The first cell with a text, without its quotes. */
function firstText(text: string, { start, end, repaired }: Row, separator: number): string {
  if (repaired !== null) return repaired.find((cell) => cell.trim() !== '')?.trim() ?? '';
  for (let from = start; from < end; ) {
    const to = fieldEnd(text, from, separator);
    const cell = plainOf(text.slice(from, to));
    if (cell !== '') return cell;
    from = to + 1;
  }
  return '';
}

function plainOf(field: string): string {
  return field.replaceAll('"', '').trim();
}

/** The decisions about lines, by the starts of the rows in which they stand. */
function* rowsAtLines(
  { text, dialect, rows }: Table,
  lines: ReadonlyMap<number, boolean>,
): Generator<void, Map<number, boolean>> {
  const decided = new Map<number, boolean>();
  if (lines.size === 0) return decided;
  yield* each(rows, ({ start, end, line }) => {
    const count = text.slice(start, end).split(dialect.crEnds ? '\r' : '\n').length;
    for (let at = line; at < line + count; at += 1) {
      const isOut = lines.get(at);
      if (isOut !== undefined && decided.get(start) !== true) decided.set(start, isOut);
    }
  });
  return decided;
}

/** As many rows as are accepted: the part that the person chooses. */
function partOf(findings: Findings, { rowsMax }: Table, rows: Rows): Rows {
  if (rows.length <= rowsMax) return rows;
  const { part } = findings.choices;
  const isChosen = part !== undefined;
  const isDecided = isChosen || findings.choices.agreed.has('rows');
  const details = { limit: rowsMax, fault: 'too_many_rows', isShown: isChosen, isDecided } as const;
  if (!findings.add('rows', rows.length, details)) return rows;
  const from = ((part ?? 1) - 1) * rowsMax;
  return rows.slice(from, from + rowsMax);
}
