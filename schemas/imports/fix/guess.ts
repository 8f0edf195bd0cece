/** The place of the header of a table, as it is found: a person decides about lines above it, and about one of several lines or of none. */
export interface HeaderGuess {
  /** The number of rows above the header, or above the first row of values if there is no header. */
  readonly titles: number;
  /** The number of rows that the header takes; 0 if the first row of the table looks like the rows below it. */
  readonly lines: number;
}

type Cells = readonly string[];

/** A header stands among this many rows. */
const HEADER_ROWS_MAX = 40;
/** Fewer rows are few. */
const FEW_ROWS = 6;
/** The least share of values, among the cells of a column, for a column of values. */
const VALUES_SHARE_MIN = 0.8;
/** A number, with a sign, a currency, an exponent or a unit of one sign. */
const NUMBER =
  /^[-+(]?\p{Sc}?\s?[-+]?[.,٫]?\p{Nd}[\p{Nd}.,٫٬:/ '\u00a0\u202f-]*(?:e[-+]?\d+)?\s?[%٪\p{Sc}]?\)?$/iu;
/** A date with a time, as programs write it. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?$/;
/** A sign for a value that is missing. */
const MISSING = /^(?:nan|n\/?a|null|none|[-–—.?*:]+)$/i;
const YEAR = /^(?:19|20)\d\d(?:[-/](?:19|20)?\d\d)?$/;
const TIME = /\d[-/:]\d|\d\.\d\d?\.\d/;
/** A full hour, which is a name above other times. */
const HOUR = /^\d\d?(?::00)+$/;
/** Values that differ from those of their columns by size alone are names only if there are several. */
const NUMBER_NAMES_MIN = 3;
/** The same for a line of texts alone, which can be units. */
const UNITS_MIN = 2;

/** The type of the values in a column. */
const TYPE =
  /^(?:u?(?:tiny|small|big|huge)?int(?:eger)?\d*|[iuf]\d+|float\d*|double|real|decimal|numeric|bool(?:ean)?|str(?:ing)?|text|(?:n?var)?n?char|date|time(?:stamp)?|datetime|object|uuid|json|blob)?(?:\(.*\))?$/i;

/** True for a number, a date or a time, which is no name of a column. */
export function isValue(cell: string): boolean {
  return NUMBER.test(cell) || TIMESTAMP.test(cell);
}

/** Guesses the header of a table from its first rows, of which most have this number of columns. */
export function guessHeader(rows: readonly Cells[], columns: number): HeaderGuess {
  const trimmed = rows.map((cells) => cells.map((cell) => cell.trim()));
  // Loggers of Campbell Scientific: names, units and the kind of each value below a line about the station.
  if (trimmed[0]?.[0] === 'TOA5') return { titles: 1, lines: 3 };
  const filled = trimmed.filter((cells) => cells.some((cell) => cell !== ''));
  // A header takes a larger part of a few rows.
  const from = Math.floor(filled.length * (filled.length < FEW_ROWS ? 2 / 3 : 1 / 2));
  const body = filled.slice(from).filter((cells) => cells.length === columns);
  const table: Shape = {
    columns,
    body,
    valued: valuedColumns(body, columns),
    used: usedColumns(body, columns),
  };
  const first = trimmed.slice(0, HEADER_ROWS_MAX);
  const data = first.findIndex((cells) => isDataRow(cells, table));
  if (data === -1) return headerOfTexts(trimmed, columns);
  // Years above names are values, but no record.
  const above = first.slice(0, isNamesRow(first[data + 1] ?? [], table, 1 / 2) ? data + 2 : data);
  const namesOf = (least: number) => above.findLastIndex((cells) => isNamesRow(cells, table, least));
  // A name can be a number, but hardly most of them.
  const most = namesOf(1 / 2);
  const few = most === -1 ? namesOf(0) : most;
  const last = few === -1 ? above.findLastIndex((cells) => isWideNames(cells, columns)) : few;
  return last === -1 ? withoutNames(first, data, table) : withNames(first, last, table);
}

/** The columns of a table. */
interface Shape {
  readonly columns: number;
  /** Rows of the table. */
  readonly body: readonly Cells[];
  /** The columns in which nearly all cells are values. */
  readonly valued: readonly number[];
  /** The columns that are not empty. */
  readonly used: readonly number[];
}

/** The place of a header without a text in a column of values. */
function withoutNames(rows: readonly Cells[], data: number, table: Shape): HeaderGuess {
  const [names = [], next = []] = rows.slice(data);
  const titles = isShortNames(rows[data - 1], table.columns) ? data - 1 : data;
  const isHeader = titles < data || isSeries(names, next, table);
  return { titles, lines: isHeader ? 1 : 0 };
}

/**
 * Joins the lines of a header. A name over several columns stands in the first one only, and belongs to all of them, unless the
 * line repeats a name for the next column.
 */
export function joinedNames(lines: readonly Cells[]): string[] {
  const width = Math.max(0, ...lines.map(({ length }) => length));
  const names = places(width).map((): string[] => []);
  const isNamed: boolean[] = [];
  for (const cells of [...lines].reverse()) {
    let before = '';
    const own = names.map((_, at) => (cells[at] ?? '').trim());
    const repeats = own.some((cell, at) => cell !== '' && cell === own[at + 1]);
    own.forEach((cell, at) => {
      if (cell !== '' || repeats) before = cell;
      // A name of a group counts for the columns that have a name below it.
      const part = isNamed[at] === true ? before : cell;
      if (part === '') return;
      names[at]?.push(part);
      isNamed[at] ||= cell !== '';
    });
  }
  return names.map((parts) => [...new Set(parts.reverse())].join(' '));
}

/** The columns in which nearly all cells are values. */
function valuedColumns(body: readonly Cells[], columns: number): number[] {
  return places(columns).filter((at) => {
    const cells = body.map((row) => row[at] ?? '').filter((cell) => cell !== '' && !MISSING.test(cell));
    return cells.length > 0 && cells.filter(isValue).length >= VALUES_SHARE_MIN * cells.length;
  });
}

function usedColumns(body: readonly Cells[], columns: number): number[] {
  return places(columns).filter((at) => body.some((row) => (row[at] ?? '') !== ''));
}

function places(columns: number): number[] {
  return [...Array(columns).keys()];
}

function isDataRow(cells: Cells, { valued, columns }: Shape): boolean {
  const own = valued.map((at) => cells[at] ?? '').filter((cell) => cell !== '');
  const known = own.filter((cell) => isValue(cell) || MISSING.test(cell));
  if (cells.length < columns - 1 || known.length === 0) return false;
  return known.length * 2 >= valued.length && known.length * 2 > own.length;
}

/** True for a row with a text in a column of values. R writes one name less than there are columns. */
function isNamesRow(cells: Cells, { valued, columns }: Shape, least: number): boolean {
  if (cells.length < columns - 1 || cells.slice(columns).some((cell) => cell !== '')) return false;
  const own = valued.map((at) => cells[at] ?? '').filter((cell) => cell !== '');
  return own.filter(isText).length > least * own.length && !isTitle(cells);
}

/** True for a row of more names than the rows below it have fields. */
function isWideNames(cells: Cells, columns: number): boolean {
  return cells.length > columns && areNames(cells);
}

/** True for a row of one name less than the rows below it have fields: R has none for the first column. */
function isShortNames(cells: Cells | undefined, columns: number): boolean {
  return columns > 2 && cells?.length === columns - 1 && areNames(cells);
}

/** True for different texts. */
function areNames(cells: Cells): boolean {
  return cells.every(isText) && new Set(cells).size === cells.length;
}

/** True for a cell that is neither empty nor a value. */
export function isText(cell: string): boolean {
  return cell !== '' && !isValue(cell) && !MISSING.test(cell);
}

/** True for a row of several fields with a text in the first one only. */
function isTitle(cells: Cells): boolean {
  return cells.length > 2 && cells[0] !== '' && cells.slice(1).every((cell) => cell === '');
}

function filledIn(cells: Cells): number {
  return cells.filter((cell) => cell !== '').length;
}

/** The place of a header whose last line is known, at most. */
function withNames(rows: readonly Cells[], last: number, table: Shape): HeaderGuess {
  const { used, columns } = table;
  // Pairs of a name and a value above are narrower.
  const least = Math.min(columns, rows[last]?.length ?? columns);
  const first = rows
    .slice(0, last)
    .findIndex((cells) => cells.length >= least && areNames(used.map((at) => cells[at] ?? '')));
  const isBelow = first !== -1;
  const top = isBelow ? first : upwards(rows, last, table);
  if (!isBelow) {
    const next = rows[last + 1] ?? [];
    const fills = fillsGaps(rows[last] ?? [], next, used);
    const isSecond = isSecondLine(next, table) || areTypes(next);
    const more = isSecond || (fills && areOther(next, table)) ? 1 : 0;
    return { titles: top, lines: last + 1 + Math.max(more, downwards(rows, last, table)) - top };
  }
  const below = rows.slice(first + 1, last + 1);
  const isUnits = (cells: Cells) =>
    areTypes(cells) ||
    (!table.valued.some((at) => isValue(cells[at] ?? '')) && textsIn(cells, table) >= UNITS_MIN);
  if (below.every(isUnits)) return { titles: first, lines: last + 1 - first };
  // Pairs of a name and a value are as wide as a table of two columns, and a value of its first record can be a word.
  if (columns === 2 && first === 0) return { titles: last, lines: 1 };
  return { titles: first, lines: 1 };
}

/** True for words below the names, but none below the first one or in a column of values: kinds of answers, or answers. */
function isSecondLine(cells: Cells, { valued }: Shape): boolean {
  const isFree = cells[0] === '' && filledIn(cells) > 0 && !cells.some(isValue);
  return isFree && valued.every((at) => (cells[at] ?? '') === '');
}

/** True for the types of the values in columns, as databases name them. */
function areTypes(cells: Cells): boolean {
  return filledIn(cells) > 1 && cells.every((cell) => TYPE.test(cell));
}

/** True if a row has a cell wherever the names above it have gaps, which are not only above the names of rows. */
function fillsGaps(names: Cells, next: Cells, used: readonly number[]): boolean {
  const gaps = used.filter((at) => names[at] === '');
  return gaps.some((at) => at > 0) && gaps.every((at) => (next[at] ?? '') !== '');
}

/** The number of texts in columns of values. */
function textsIn(cells: Cells, { valued }: Shape): number {
  return valued.filter((at) => isText(cells[at] ?? '')).length;
}

/** Takes further lines above the last line of a header that give names to columns without one, or tell columns apart. */
function upwards(rows: readonly Cells[], last: number, { columns, used }: Shape): number {
  let top = last;
  const faults = (from: number): number => {
    const names = joinedNames(rows.slice(from, last + 1));
    return used.length - new Set(used.map((at) => names[at] ?? '').filter((name) => name !== '')).size;
  };
  for (let at = last - 1; at >= 0; at -= 1) {
    const cells = rows[at] ?? [];
    const filled = filledIn(cells);
    if (filled === 0 || cells.length !== columns || isTitle(cells)) break;
    const isGroup = cells[used[0] ?? 0] === '' && filled > 1;
    if (faults(at) >= faults(top) && !isGroup) break;
    top = at;
  }
  return top;
}

/** The lines below names that occur again which tell them apart: they have nothing below the name of the rows, and each row has one. */
function downwards(rows: readonly Cells[], last: number, { used, body }: Shape): number {
  const [first = 0] = used;
  const isFree = (cells: Cells | undefined) => cells?.[first] === '' && filledIn(cells) > 1;
  let end = last + 1;
  while (isFree(rows[end])) end += 1;
  const different = (to: number) => {
    const names = joinedNames(rows.slice(last, to));
    return new Set(used.map((at) => names[at])).size;
  };
  const isNamed = body.every((cells) => cells[first] !== '');
  return isNamed && different(end) > different(last + 1) ? end - last - 1 : 0;
}

/** True for names that are numbers: years, or numbers with equal steps that the next row does not have. */
function isSeries(cells: Cells, next: Cells, { valued }: Shape): boolean {
  const own = valued.map((at) => cells[at] ?? '');
  const below = valued.map((at) => next[at] ?? '');
  if (own.every((cell, at) => cell === below[at])) return false;
  const isYears = own.length > 1 && own.length * 2 > cells.length && own.every((cell) => YEAR.test(cell));
  if (isYears && new Set(own).size === own.length) return !below.every((cell) => YEAR.test(cell));
  const step = stepOf(own);
  return own.length >= NUMBER_NAMES_MIN && step !== null && step !== stepOf(below);
}

/** The step between all numbers that follow each other, or null if it is not the same. */
function stepOf(cells: Cells): number | null {
  const [step = 0, ...others] = cells.slice(1).map((cell, at) => Number(cell) - Number(cells[at]));
  return step !== 0 && Number.isFinite(step) && others.every((other) => other === step) ? step : null;
}

/** True for years, dates, full hours or times that are not below. */
function areOther(cells: Cells, { valued, body }: Shape): boolean {
  return valued.every((at) => {
    const kind = [HOUR, YEAR, TIME].find((each) => each.test(cells[at] ?? ''));
    return kind !== undefined && body.filter((row) => kind.test(row[at] ?? '')).length * 2 < body.length;
  });
}

/** The place of the header of a table of texts: the rows above it have hardly a cell with a text. */
function headerOfTexts(rows: readonly Cells[], columns: number): HeaderGuess {
  const at = titlesOfTexts(rows, columns);
  const titles = isShortNames(rows[at - 1], columns) ? at - 1 : at;
  const [names = [], next = [], ...others] = rows.slice(titles).filter((cells) => filledIn(cells) > 0);
  const body = [next, ...others].filter((cells) => cells.join() !== names.join());
  if (fillsGaps(names, next, usedColumns(body, columns))) return { titles, lines: 2 };
  const isHeader = titles > 0 || places(columns).some((column) => isNameOf(names, body, column));
  return { titles, lines: isHeader ? 1 : 0 };
}

/** True if a cell has another form than all texts below it, or if those repeat while it is not among them. */
function isNameOf(names: Cells, body: readonly Cells[], column: number): boolean {
  const name = names[column] ?? '';
  const cells = body.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  if (cells.includes(name)) return false;
  const forms = cells.map(formOf);
  // Beside the names of one record, all texts have different forms.
  const areAlike = names.length !== 2 || cells.length < 3 || new Set(forms).size < cells.length;
  return new Set(cells).size * 2 < cells.length || (areAlike && !forms.includes(formOf(name)));
}

/** A text with one sign for each run of capitals, of other letters and of digits. */
function formOf(text: string): string {
  return text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/[\p{Ll}\p{Lo}\p{Lm}]+/gu, 'a')
    .replace(/\p{Nd}+/gu, '0');
}

/** The number of rows above the first one that has texts in half of the columns. */
function titlesOfTexts(rows: readonly Cells[], columns: number): number {
  if (columns < 2) return 0;
  const widths = rows
    .filter((cells) => cells.length === columns)
    .map((cells) => cells.findLastIndex((cell) => cell !== '') + 1)
    .sort((left, right) => left - right);
  // Of half of the rows: a few notes to the right are no columns.
  const width = widths[widths.length >> 1] ?? 0;
  if (width < 2) return 0;
  const at = rows.slice(0, HEADER_ROWS_MAX).findIndex((cells) => {
    if (cells.length < width || cells.length > columns) return false;
    return cells.filter((cell) => cell !== '').length >= width / 2;
  });
  if (at < 1 || rows.slice(0, at).some(({ length }) => length > columns)) return 0;
  return at;
}
