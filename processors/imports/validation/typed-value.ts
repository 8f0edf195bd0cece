import type { Field } from '../../../schemas/imports/configuration.ts';
import type { RowErrorCode } from '../../../schemas/imports/file-faults.ts';
import type { CanonicalValue } from '../../../schemas/imports/identity.ts';
import { readCalendarDate } from './calendar-date.ts';

/** A cell read as its field's type: the value, or what is wrong and what would be allowed. */
export type TypedValue =
  | { readonly kind: 'value'; readonly value: CanonicalValue }
  | { readonly kind: 'error'; readonly code: RowErrorCode; readonly message: string };

/**
 * Reads one cell by the type rules of contract D. Nothing is trimmed, guessed or rounded: a value is the cell's own text,
 * but for dates, which become `YYYY-MM-DD`, and booleans. The empty cell is null, and an error where a value is required.
 */
export function readTypedValue(field: Field, cell: string): TypedValue {
  if (cell === '') return field.required ? REQUIRED : { kind: 'value', value: null };
  switch (field.type) {
    case 'text':
      return readText(field, cell);
    case 'integer':
      return INTEGER.test(cell) ? { kind: 'value', value: cell } : NOT_INTEGER;
    case 'decimal':
      return readDecimal(field, cell);
    case 'date':
      return readDate(field, cell);
    case 'boolean':
      return cell === 'true' || cell === 'false' ? { kind: 'value', value: cell === 'true' } : NOT_BOOLEAN;
  }
}

type DecimalField = Extract<Field, { type: 'decimal' }>;

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
/** The whole part, and the fraction where there is one. */
const DECIMAL = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

const REQUIRED = error('required', 'A value is required.');
const NOT_INTEGER = error(
  'not_integer',
  'Allowed: a whole number, as digits without leading zeros, spaces or separators, with - before a negative one.',
);
const NOT_DECIMAL = error(
  'not_decimal',
  'Allowed: a decimal number, as digits without leading zeros, spaces or separators, with a point before the fraction.',
);
const NOT_BOOLEAN = error('not_boolean', 'Allowed: true or false.');

function readText(field: Extract<Field, { type: 'text' }>, cell: string): TypedValue {
  const { maxLength } = field;
  if (maxLength === undefined || !isLongerThan(cell, maxLength)) return { kind: 'value', value: cell };
  return error('too_long', `Allowed: at most ${counted(maxLength, 'character')}.`);
}

/**
 * Compares a number with `precision` and `scale` as a column of SQL's NUMERIC does, so that no valid value is refused or
 * rounded by such a column. With both, `precision − scale` digits may stand before the point; `precision` alone bounds
 * the digits in all. A zero before the point is not counted: `0.05` has two digits.
 */
function readDecimal(field: DecimalField, cell: string): TypedValue {
  const [, whole, fraction = ''] = DECIMAL.exec(cell) ?? [];
  if (whole === undefined) return NOT_DECIMAL;
  const { precision = Number.POSITIVE_INFINITY, scale } = field;
  const before = whole === '0' ? 0 : whole.length;
  const fits =
    scale === undefined
      ? before + fraction.length <= precision
      : before <= precision - scale && fraction.length <= scale;
  return fits ? { kind: 'value', value: cell } : error('out_of_range', decimalRule(field));
}

function readDate(field: Extract<Field, { type: 'date' }>, cell: string): TypedValue {
  const format = field.format ?? 'YYYY-MM-DD';
  const value = readCalendarDate(cell, format);
  return value === null
    ? error('not_date', `Allowed: a date that exists, written as ${format}.`)
    : { kind: 'value', value };
}

function decimalRule({ precision, scale }: DecimalField): string {
  if (scale === undefined) return `Allowed: ${atMost(precision ?? 0, 'no digits')} in all.`;
  if (precision === undefined) return `Allowed: ${atMost(scale, 'no digits')} after the point.`;
  const before = atMost(precision - scale, 'only 0');
  return `Allowed: ${before} before the point and ${atMost(scale, 'no digits')} after it.`;
}

function atMost(digits: number, none: string): string {
  return digits === 0 ? none : `at most ${counted(digits, 'digit')}`;
}

/** Whether a text has more Unicode code points than allowed, without taking it apart where its length already tells. */
function isLongerThan(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  let codePoints = 0;
  for (const _ of text) {
    codePoints += 1;
    if (codePoints > codePointsMax) return true;
  }
  return false;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function error(code: RowErrorCode, message: string): TypedValue {
  return { kind: 'error', code, message };
}
