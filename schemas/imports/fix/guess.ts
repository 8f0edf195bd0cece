/** The place of the header of a table. */
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
const NUMBER = /^[-+(]?\p{Sc}?\s?[-+]?[.,]?\d[\d.,:/ '\u00a0\u202f-]*(?:e[-+]?\d+)?\s?[%\p{Sc}]?\)?$/iu;
/** A date with a time, as programs write it. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?$/;
/** A sign for a value that is missing. */
const MISSING = /^(?:nan|n\/?a|null|none|[-–—.?*]+)$/i;
const YEAR = /^(?:19|20)\d\d(?:[-/](?:19|20)?\d\d)?$/;

/** True for a number, a date or a time, which is no name of a column. */
function isValue(cell: string): boolean {
  return NUMBER.test(cell) || TIMESTAMP.test(cell);
}

/** Guesses the header of a table from its first rows, of which most have this number of columns. */
export function guessHeader(rows: readonly Cells[], columns: number): HeaderGuess {
  const trimmed = rows.map((cells) => cells.map((cell) => cell.trim()));
  const filled = trimmed.filter((cells) => cells.some((cell) => cell !== ''));
  // A header takes a larger part of a few rows.
  const from = Math.floor(filled.length * (filled.length < FEW_ROWS ? 2 / 3 : 1 / 2));
  const body = filled.slice(from).filter((cells) => cells.length === columns);
  const valued = valuedColumns(body, columns);
  if (valued.length === 0) return { titles: titlesOfTexts(trimmed, columns), lines: 1 };
  const first = trimmed.slice(0, HEADER_ROWS_MAX);
  const data = first.findIndex((cells) => isDataRow(cells, valued, columns));
  const above = first.slice(0, Math.max(0, data));
  const namesOf = (least: number) =>
    above.findLastIndex((cells) => isNamesRow(cells, valued, columns, least));
  // A name can be a number, but hardly most of them.
  const most = namesOf(1 / 2);
  const few = most === -1 ? namesOf(0) : most;
  const last = few === -1 ? above.findLastIndex((cells) => isWideNames(cells, columns)) : few;
  if (last !== -1) return upwards(first, last, { columns, used: usedColumns(body, columns) });
  if (data === -1) return { titles: titlesOfTexts(trimmed, columns), lines: 1 };
  const names = first[data] ?? [];
  return { titles: data, lines: isSeries(names, valued, trimmed[data + 1] ?? []) ? 1 : 0 };
}

/** Joins the lines of a header. A name over several columns stands in the first one only, and belongs to all of them. */
export function joinedNames(lines: readonly Cells[]): string[] {
  const width = Math.max(0, ...lines.map(({ length }) => length));
  return [...Array(width).keys()].map((at) => {
    const parts = lines.map((cells, index) => partOf(cells, lines.slice(index + 1), at));
    return [...new Set(parts.filter((part) => part !== ''))].join(' ');
  });
}

function partOf(cells: Cells, below: readonly Cells[], at: number): string {
  const own = (cells[at] ?? '').trim();
  if (own !== '' || below.every((lower) => (lower[at] ?? '').trim() === '')) return own;
  return (
    cells
      .slice(0, at)
      .findLast((cell) => cell.trim() !== '')
      ?.trim() ?? ''
  );
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

function isDataRow(cells: Cells, valued: readonly number[], columns: number): boolean {
  const own = valued.map((at) => cells[at] ?? '').filter((cell) => cell !== '');
  const known = own.filter((cell) => isValue(cell) || MISSING.test(cell));
  if (cells.length < columns - 1 || known.length === 0) return false;
  return known.length * 2 >= valued.length && known.length * 2 > own.length;
}

/** True for a row with a text in a column of values. R writes one name less than there are columns. */
function isNamesRow(cells: Cells, valued: readonly number[], columns: number, least: number): boolean {
  if (cells.length < columns - 1 || cells.slice(columns).some((cell) => cell !== '')) return false;
  const own = valued.map((at) => cells[at] ?? '').filter((cell) => cell !== '');
  return own.filter(isText).length > least * own.length && !isTitle(cells);
}

/** True for a row of more names than the rows below it have fields. */
function isWideNames(cells: Cells, columns: number): boolean {
  return cells.length > columns && cells.every(isText) && new Set(cells).size === cells.length;
}

function isText(cell: string): boolean {
  return cell !== '' && !isValue(cell) && !MISSING.test(cell);
}

/** True for a row of several fields with a text in the first one only. */
function isTitle(cells: Cells): boolean {
  return cells.length > 2 && cells[0] !== '' && cells.slice(1).every((cell) => cell === '');
}

/** Takes further lines above the last line of a header that give names to columns without one, tell columns apart, or name each one. */
function upwards(
  rows: readonly Cells[],
  last: number,
  { columns, used }: { readonly columns: number; readonly used: readonly number[] },
): HeaderGuess {
  let top = last;
  const faults = (from: number): number => {
    const names = joinedNames(rows.slice(from, last + 1));
    return used.length - new Set(used.map((at) => names[at] ?? '').filter((name) => name !== '')).size;
  };
  for (let at = last - 1; at >= 0; at -= 1) {
    const cells = rows[at] ?? [];
    const filled = cells.filter((cell) => cell !== '').length;
    if (filled === 0) continue;
    if (cells.length !== columns || isTitle(cells)) break;
    const isGroup = cells[0] === '' && filled > 1;
    if (faults(at) >= faults(top) && !isGroup && !isComplete(cells)) break;
    top = at;
  }
  return { titles: top, lines: last + 1 - top };
}

/** True for a line with a name for each column. Then the line below it has units, or the names in another language. */
function isComplete(cells: Cells): boolean {
  return cells.length > 2 && cells.every(isText) && new Set(cells).size === cells.length;
}

/** True for names that are numbers: years, or a series of numbers with equal steps that the next row does not have. */
function isSeries(cells: Cells, valued: readonly number[], next: Cells): boolean {
  const own = valued.map((at) => cells[at] ?? '');
  if (own.every((cell, index) => cell === next[valued[index] ?? 0])) return false;
  if (own.every((cell) => YEAR.test(cell)) && new Set(own).size === own.length) {
    return !valued.every((at) => YEAR.test(next[at] ?? ''));
  }
  const steps = new Set(own.slice(1).map((cell, index) => Number(cell) - Number(own[index])));
  const [step] = steps;
  return own.length > 2 && steps.size === 1 && step !== undefined && step !== 0 && Number.isFinite(step);
}

/** The number of rows above the header of a table of texts: they have hardly a cell with a text. */
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
