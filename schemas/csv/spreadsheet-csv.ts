/**
 * Writes rows as CSV (RFC 4180: CRLF, quotes where needed) that a spreadsheet shows and never runs.
 *
 * A text that could begin a formula gets an apostrophe in front: quotes alone do not keep a spreadsheet from
 * evaluating it (OWASP, "CSV Injection"). So does a part of a text where a spreadsheet with another list separator begins
 * a cell. A plain number stays as it is, its sign included. {@link restoredCell} takes the apostrophes away again, because a
 * text with such an apostrophe gets one more.
 */
export function spreadsheetCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map((cell) => cellText(String(cell))).join(',')}\r\n`).join('');
}

/** Returns a cell of {@link spreadsheetCsv} as it was before. */
export function restoredCell(cell: string): string {
  return cell.replace(ADDED, '');
}

/** The signs that begin a formula, also at full width. */
const SIGN = '[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20]';

/**
 * Matches the rest of a text at whose start a spreadsheet could begin a formula: a sign behind white space (some
 * spreadsheets drop it, and a byte order mark) or quotes, or a control character. Existing apostrophes are skipped, so that a
 * text with one differs from a text that received one.
 */
const FIRST = `[\\s"']*${SIGN}|'*[\\0\\t\\r\\n]`;

/**
 * The same inside of a text. With a semicolon or a tab as the list separator, a cell also begins behind each separator and
 * each line break, because quotes in the middle of a cell do not count there.
 */
const INNER = `(?:[^\\S\\t\\r\\n]|["'])*${SIGN}`;
const BEHIND = '(?<=[;\\t\\r\\n])';

const FORMULA_STARTS = /* @__PURE__ */ new RegExp(`^(?=${FIRST})|${BEHIND}(?=${INNER})`, 'g');
const ADDED = new RegExp(`^'(?=${FIRST})|${BEHIND}'(?=${INNER})`, 'g');

/** A negative number as the field types `integer` and `decimal` accept it. */
const NEGATIVE = /^-(?:0|[1-9]\d*)(?:\.\d+)?$/;

function cellText(cell: string): string {
  const shown = NEGATIVE.test(cell) ? cell : cell.replace(FORMULA_STARTS, "'");
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
