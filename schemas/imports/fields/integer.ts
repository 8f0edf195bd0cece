import { z } from 'zod';
import { INTEGER } from './cell-rules.ts';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
} from './field-type.ts';

/** A whole number of any size, kept as text. */
export const integerField = defineFieldType({
  name: 'integer',
  schema: z.strictObject({ ...commonMembers, type: z.literal('integer') }).meta({
    id: 'IntegerField',
    description: 'A whole number of any size. It is delivered as text.',
    example: { key: 'quantity', type: 'integer', required: true },
  }),
  read: (_field, cell) => (INTEGER.test(cell) ? fieldValue(cell) : NOT_INTEGER),
  errorCode: { not_integer: 'the cell is not an integer' },
  artifactBound: STRING_ARTIFACT_BOUND,
});

const NOT_INTEGER = fieldError(
  'not_integer',
  'Allowed: a whole number, as digits without leading zeros, spaces or separators, with - before a negative one.',
);
