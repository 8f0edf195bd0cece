/** The English texts of the changes that a file may need. `{0}` is the number of places. */
export const CHANGE_TEXTS = {
  encoding: 'Write it as UTF-8',
  nul: 'Remove NUL characters and byte order marks: {0}',
  wrapped: 'Remove the quotes around whole rows',
  singleQuotes: 'Read single quotes around values as quotes. Rows: {0}',
  tables: 'Import one of the tables of this file: {0}',
  separator: 'Write commas between fields',
  titles: 'Remove lines above the header: {0}',
  joined: 'Join the lines of the header: {0}',
  noHeader: 'Keep the first row, and name the columns Column 1, Column 2, and so on',
  shifted: 'Move the names one column to the right, if the first column lacks one',
  lineEnds: 'End lines with LF',
  returns: 'Correct rows with a stray CR: {0}',
  quotes: 'Correct rows with a quote out of place: {0}',
  spaces: 'Remove spaces around names of columns: {0}',
  emptyColumns: 'Remove columns without a name and a value: {0}',
  valueless: 'Remove named columns without a value: {0}',
  gaps: 'Give names to columns without one, if no value has an unquoted separator: {0}',
  repeats: 'Number names that occur again: {0}',
  columns: 'Remove columns, so that few enough are left',
  emptyRows: 'Remove rows without a value: {0}',
  notes: 'Remove lines that may be titles, totals or notes: {0}',
  padding: 'Remove spaces around values: {0}',
  extras: 'Remove empty fields behind the last column: {0}',
  fill: 'Fill short rows with empty fields: {0}',
  apostrophes: 'Remove apostrophes that the file of rejected rows has added: {0}',
  formulas: 'Write texts in the form of formulas as texts: {0}',
  rows: 'Import a part of the rows: {0}',
};

/** The text of one change with its number of places. */
export function changeText(kind: keyof typeof CHANGE_TEXTS, count: number): string {
  return CHANGE_TEXTS[kind].replace('{0}', String(count));
}
