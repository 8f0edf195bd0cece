import { z } from 'zod';
import { counted } from '../../base/text.ts';
import { DECIMAL, fitsDigits } from './cell-rules.ts';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
  type TypedValue,
} from './field-type.ts';

const PRECISION_MAX = 38;

const schema = z
  .strictObject({
    ...commonMembers,
    type: z.literal('decimal'),
    /**
     * Digits at most, as SQL's NUMERIC counts them: with `scale`, at most `precision − scale` before the point; alone,
     * in all. A zero before the point is not counted.
     */
    precision: z
      .int()
      .min(1)
      .max(PRECISION_MAX)
      .optional()
      .describe('The largest number of digits, as in the SQL type NUMERIC.'),
    scale: z
      .int()
      .min(0)
      .max(PRECISION_MAX)
      .optional()
      .describe('The largest number of digits after the point; at most the precision.'),
  })
  .refine((field) => (field.scale ?? 0) <= (field.precision ?? PRECISION_MAX), {
    path: ['scale'],
    message: 'expected at most the precision',
  })
  .meta({
    id: 'DecimalField',
    description: 'A decimal number. It is delivered as text.',
    example: { key: 'amount', type: 'decimal', required: true, precision: 8, scale: 2 },
  });

type DecimalField = z.infer<typeof schema>;

/** A decimal number, kept as text. */
export const decimalField = defineFieldType({
  name: 'decimal',
  schema,
  read: readDecimal,
  errorCode: {
    not_decimal: 'the cell is not a decimal',
    out_of_range: 'more digits than `precision` or `scale` allow',
  },
  artifactBound: STRING_ARTIFACT_BOUND,
});

function readDecimal(field: DecimalField, cell: string): TypedValue<'not_decimal' | 'out_of_range'> {
  const [, whole, fraction = ''] = DECIMAL.exec(cell) ?? [];
  if (whole === undefined) return NOT_DECIMAL;
  return fitsDigits(whole, fraction, field)
    ? fieldValue(cell)
    : fieldError('out_of_range', decimalRule(field));
}

const NOT_DECIMAL = fieldError(
  'not_decimal',
  'Allowed: a decimal number, as digits without leading zeros, spaces or separators, with a point before the fraction.',
);

function decimalRule({ precision, scale }: DecimalField): string {
  if (scale === undefined) return `Allowed: ${atMost(precision ?? 0, 'no digits')} in all.`;
  if (precision === undefined) return `Allowed: ${atMost(scale, 'no digits')} after the point.`;
  const before = atMost(precision - scale, 'only 0');
  return `Allowed: ${before} before the point and ${atMost(scale, 'no digits')} after it.`;
}

function atMost(digits: number, none: string): string {
  return digits === 0 ? none : `at most ${counted(digits, 'digit')}`;
}
