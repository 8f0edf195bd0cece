import { readCalendarDate } from '../fields/calendar-date.ts';
import { DECIMAL, fitsDigits, INTEGER, isLongerThan } from '../fields/cell-rules.ts';
import type { CellFault, FieldRule } from './values.ts';

type Fault = Exclude<CellFault, 'unread'> | null;

type Rules = {
  readonly [Type in FieldRule['type']]: (field: Extract<FieldRule, { type: Type }>, cell: string) => Fault;
};

/** The rules for cells that are not empty. */
const RULES: Rules = {
  text: ({ maxLength }, cell) =>
    maxLength !== undefined && isLongerThan(cell, maxLength) ? 'too_long' : null,
  integer: (_field, cell) => (INTEGER.test(cell) ? null : 'not_integer'),
  decimal(field, cell) {
    const [, whole, fraction = ''] = DECIMAL.exec(cell) ?? [];
    if (whole === undefined) return 'not_decimal';
    return fitsDigits(whole, fraction, field) ? null : 'out_of_range';
  },
  date: ({ format = 'YYYY-MM-DD' }, cell) => (readCalendarDate(cell, format) === null ? 'not_date' : null),
  boolean: (_field, cell) => (cell === 'true' || cell === 'false' ? null : 'not_boolean'),
};

/** The rule of a field that a cell breaks, as the service would report it, or null for a cell that it accepts. */
export function faultOf(field: FieldRule, cell: string): Fault {
  if (cell === '') return field.required ? 'required' : null;
  return RULES[field.type](field as never, cell);
}
