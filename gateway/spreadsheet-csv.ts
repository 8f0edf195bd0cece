/**
 * A cell that people open in a spreadsheet: a text, which is only shown; a number of ours; or digits that the caller knows
 * to be a plain number, written as they are, sign included.
 */
export type SpreadsheetCell = string | number | { readonly number: string };

/**
 * Writes rows as CSV (RFC 4180: CRLF, quotes where needed) that a spreadsheet shows and never runs.
 *
 * A text that could begin a formula gets an apostrophe in front: quotes alone do not keep a spreadsheet from
 * evaluating it (OWASP, "CSV Injection"). Such a file is for people; whoever wants the bytes as they are takes the JSON.
 */
export function spreadsheetCsv(rows: readonly (readonly SpreadsheetCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

/**
 * What spreadsheets take for the beginning of a formula: the signs, also at full width and behind white space or a byte
 * order mark, which some of them drop first; and a control character at the very start.
 */
const FORMULA = /^(?:[\s\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\0\t\r\n])/;

function cellText(cell: SpreadsheetCell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.number;
  const shown = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
