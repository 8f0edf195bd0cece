/**
 * A cell that people open in a spreadsheet: a text, which is only shown; a number of ours; or digits that the caller knows
 * to be a plain number, written as they are, sign included.
 */
export type SpreadsheetCell = string | number | { readonly number: string };

/**
 * Writes rows as CSV (RFC 4180: CRLF, quotes where needed) that a spreadsheet shows and never runs.
 *
 * A text that could begin a formula gets an apostrophe in front: quotes alone do not keep a spreadsheet from
 * evaluating it (OWASP, "CSV Injection"). So does a part of a text where a spreadsheet with another list separator begins
 * a cell. The texts can be restored (infra/docs/csv-import.md), because one with such an apostrophe gets one more.
 */
export function spreadsheetCsv(rows: readonly (readonly SpreadsheetCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/** The signs that begin a formula, also at full width. */
const SIGN = '[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20]';

/**
 * Matches the positions of a text at which a spreadsheet could begin a formula. The first is the start: before a sign
 * behind white space (some spreadsheets drop it, and a byte order mark) or quotes, and before a control character.
 * With a semicolon or a tab as the list separator, a cell also begins behind each separator and each line break,
 * because quotes in the middle of a cell do not count there. Existing apostrophes are skipped, so that a text with
 * one differs from a text that received one.
 */
const FORMULA_STARTS = new RegExp(
  `^(?=[\\s"']*${SIGN}|'*[\\0\\t\\r\\n])|(?<=[;\\t\\r\\n])(?=(?:[^\\S\\t\\r\\n]|["'])*${SIGN})`,
  'g',
);

function cellText(cell: SpreadsheetCell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.number;
  const shown = cell.replace(FORMULA_STARTS, "'");
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
