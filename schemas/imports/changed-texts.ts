import { counted } from '../base/text.ts';

/** The changes that a sender can make before the upload, in English. The changes of `fix/change-texts.ts` come first. */
export const CHANGED_TEXTS = {
  encoding: 'The file was written as UTF-8',
  nul: 'NUL characters and byte order marks were removed',
  wrapped: 'Quotes around whole rows were removed',
  singleQuotes: 'Single quotes around values were read as quotes',
  tables: 'One of several tables was read',
  separator: 'Commas were written between fields',
  titles: 'Lines above the header were removed',
  joined: 'Lines of the header were joined',
  noHeader: 'Columns without a header were given names',
  shifted: 'Names of columns were moved to the right',
  lineEnds: 'Lines were ended with LF',
  returns: 'Rows with a stray CR were corrected',
  quotes: 'Rows with a quote out of place were corrected',
  spaces: 'Spaces around names of columns were removed',
  emptyColumns: 'Columns without a name and a value were removed',
  valueless: 'Named columns without a value were removed',
  gaps: 'Columns without a name were given one',
  repeats: 'Repeated names of columns were numbered',
  columns: 'Columns were removed',
  emptyRows: 'Rows without a value were removed',
  notes: 'Lines such as titles, totals or notes were removed',
  padding: 'Spaces around values were removed',
  extras: 'Empty fields behind the last column were removed',
  fill: 'Short rows were filled with empty fields',
  apostrophes: 'Apostrophes of a file of rejected rows were removed',
  formulas: 'Formulas of texts were written as texts',
  rows: 'Rows were removed',
  dates: 'Dates were written in the format of the field',
  numbers: 'Numbers were written as digits with a decimal point',
  booleans: 'Words were written as true and false',
  nothing: 'Words for nothing were made empty',
  edited: 'Cells were corrected by hand',
  replaced: 'Values were replaced',
} as const;

export type ChangeKind = keyof typeof CHANGED_TEXTS;

/** A change of a file: its kind, the key of its field, and its counts. */
export type CountedChange = {
  readonly kind: ChangeKind;
  readonly column?: string;
  readonly cells?: number;
  readonly rows?: number;
  readonly lines?: number;
};

/** A change as an answer of the service has it. A newer service can know further kinds. */
type ReadChange = {
  readonly [Member in keyof CountedChange]: Member extends 'kind'
    ? string
    : CountedChange[Member] | undefined;
};

/** A change in English words: `Rows were removed (3 rows)`. */
export function changedText({ kind, column, cells, rows, lines }: ReadChange): string {
  const counts = Object.entries({ cell: cells, row: rows, line: lines }).flatMap(([noun, count]) =>
    count === undefined ? [] : [counted(count, noun)],
  );
  const facts = [...(column === undefined ? [] : [column]), ...counts];
  const texts: Readonly<Record<string, string>> = CHANGED_TEXTS;
  const words = texts[kind] ?? kind;
  return facts.length === 0 ? words : `${words} (${facts.join(', ')})`;
}
