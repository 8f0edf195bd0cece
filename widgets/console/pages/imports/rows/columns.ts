import { visibleStart } from '../../../parts/table/visible-text.ts';
import { isNumber } from '../import-state.ts';
import type { ImportDetail, ImportField } from '../queries.ts';
import type { Row } from './row-pages.ts';

/** A field of the schema with the column of the file that fills it. */
export interface Column {
  readonly field: ImportField;
  /** The name of the source column. */
  readonly source: string;
  /** Its position in the file. */
  readonly index: number;
  readonly isNumber: boolean;
  /** In pixels. Widths are fixed, so that they do not jump while rows load. */
  readonly width: number;
}

/** The characters of a cell that the table shows. The whole of a longer one is a button away. */
export const CELL_CHARACTERS_SHOWN = 200;

const WIDTHS = { text: 150, integer: 84, decimal: 84, date: 94, boolean: 72 } as const;

/** A text field of at most this length gets the width of a short one. */
const SHORT_CHARACTERS = 40;
const SHORT_PX = 104;

/** The mapped columns in the order of the schema. */
export function mappedColumns(
  fields: readonly ImportField[],
  { headers, mapping }: Pick<ImportDetail, 'headers' | 'mapping'>,
): Column[] {
  return fields.flatMap((field) => {
    const source = mapping?.columns.find(({ target }) => target === field.key)?.source;
    const index = source === undefined ? -1 : (headers?.indexOf(source) ?? -1);
    if (source === undefined || index === -1) return [];
    return [{ field, source, index, isNumber: isNumber(field), width: widthOf(field) }];
  });
}

function widthOf(field: ImportField): number {
  const isShort = field.type === 'text' && (field.maxLength ?? Number.POSITIVE_INFINITY) <= SHORT_CHARACTERS;
  return isShort ? SHORT_PX : WIDTHS[field.type];
}

/** The columns that a person has not hidden, those of `first` before the others. */
export function arrangedColumns(
  columns: readonly Column[],
  first: readonly string[],
  hidden: readonly string[],
): Column[] {
  const isFirst = ({ field }: Column) => first.includes(field.key);
  return [
    ...columns.filter(isFirst),
    ...columns.filter((column) => !isFirst(column) && !hidden.includes(column.field.key)),
  ];
}

/** The cell of a column as it stands in the file; an empty text where the record has fewer cells. */
export function cellOf({ source }: Pick<Row, 'source'>, { index }: Column): string {
  return source?.[index] ?? '';
}

/** The cell as the table shows it: its start, with every character visible. */
export function shownCell(row: Pick<Row, 'source'>, column: Column): string {
  return visibleStart(cellOf(row, column), CELL_CHARACTERS_SHOWN);
}

/** The mapped columns whose cell is longer than the table shows. */
export function longCells(row: Row, columns: readonly Column[]): Column[] {
  return columns.filter((column) => cellOf(row, column).length > CELL_CHARACTERS_SHOWN);
}

/** The positions of the wrong cells of a row among the columns, from the left. */
export function wrongCells({ errors }: Pick<Row, 'errors'>, columns: readonly Column[]): number[] {
  const wrong = new Set(errors.map(({ column }) => column));
  return columns.flatMap(({ field }, at) => (wrong.has(field.key) ? [at] : []));
}
