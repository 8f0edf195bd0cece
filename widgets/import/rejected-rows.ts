import type { InvalidRow } from './api.ts';

/** The signs that begin a formula, also at full width. */
const SIGN = '[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20]';

/**
 * The positions at which a spreadsheet could begin a formula: the start, before a sign behind white space or quotes and
 * before a control character; and behind a semicolon, a tab or a line break, which some list separators make a start of.
 */
const FORMULA_STARTS = new RegExp(
  `^(?=[\\s"']*${SIGN}|'*[\\0\\t\\r\\n])|(?<=[;\\t\\r\\n])(?=(?:[^\\S\\t\\r\\n]|["'])*${SIGN})`,
  'g',
);

/**
 * Writes rejected rows as CSV that a spreadsheet shows and never runs: their places, their errors, and the cells of the
 * file. A text that could begin a formula gets an apostrophe in front.
 */
export function rejectedRowsCsv(headers: readonly string[], rows: readonly InvalidRow[]): string {
  const first = ['svc_row', 'svc_line', 'svc_errors', ...headers];
  const lines = rows.map(({ row, line, source, errors }) => {
    const said = errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
    return [String(row), String(line), said.join('; '), ...(source ?? [])];
  });
  // The mark tells a spreadsheet that the file is UTF-8.
  return `\ufeff${[first, ...lines].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

function cellText(text: string): string {
  const shown = text.replace(FORMULA_STARTS, "'");
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
