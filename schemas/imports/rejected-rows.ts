import { spreadsheetCsv } from '../csv/spreadsheet-csv.ts';

/** A rejected row of an import. */
export interface RejectedRow {
  readonly row: number;
  readonly line: number;
  /** The cells of the file; null for a record that is too large. */
  readonly source: readonly string[] | null;
  readonly errors: readonly { readonly column: string | null; readonly message: string }[];
  /** The number of further errors. */
  readonly moreErrors: number;
}

/** Spreadsheets take a file without it for the local code page. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The columns before those of the file, with a prefix. */
const OWN_COLUMNS = ['row', 'line', 'errors'] as const;
const OWN_PREFIX = 'svc';
const OWN_NAMES = /^svc(\d*)_row,svc\1_line,svc\1_errors$/;

/** The start of a file of rejected rows: the names of our columns and those of the file. */
export function rejectedRowsHeader(header: readonly string[]): string {
  return BYTE_ORDER_MARK + spreadsheetCsv([[...ownColumns(header), ...header]]);
}

/**
 * Writes rejected rows for correction in a spreadsheet: position, errors, and the cells of the file, escaped so that none runs
 * as a formula. With {@link rejectedRowsHeader} before them, they are a file that can be uploaded.
 */
export function rejectedRowsCsv(rows: readonly RejectedRow[]): string {
  return spreadsheetCsv(rows.map(cellsOf));
}

/** True for the header of a file of rejected rows, whose cells may have apostrophes that were added. */
export function isRejectedRowsHeader(header: readonly string[]): boolean {
  return OWN_NAMES.test(header.slice(0, OWN_COLUMNS.length).join());
}

/** The names of our columns, with the first number behind the prefix that gives names the file does not have. */
function ownColumns(header: readonly string[]): string[] {
  for (let number = 1; number <= header.length; number += 1) {
    const names = ownNames(number);
    if (!names.some((name) => header.includes(name))) return names;
  }
  // Each number before was taken by another column of the header, so this one is free.
  return ownNames(header.length + 1);
}

function ownNames(number: number): string[] {
  return OWN_COLUMNS.map((name) => `${OWN_PREFIX}${number === 1 ? '' : number}_${name}`);
}

function cellsOf({ row, line, source, errors, moreErrors }: RejectedRow): (string | number)[] {
  const faults = errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
  if (moreErrors > 0) faults.push(`${moreErrors} more`);
  return [row, line, faults.join('; '), ...(source ?? [])];
}
