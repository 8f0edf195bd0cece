import { z } from 'zod';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
} from './field-type.ts';

/** `true` or `false`, delivered as a JSON boolean. */
export const booleanField = defineFieldType({
  name: 'boolean',
  schema: z.strictObject({ ...commonMembers, type: z.literal('boolean') }).meta({
    id: 'BooleanField',
    description: '`true` or `false`.',
    example: { key: 'paid', type: 'boolean', required: false },
  }),
  read: (_field, cell) => (cell === 'true' || cell === 'false' ? fieldValue(cell === 'true') : NOT_BOOLEAN),
  errorCode: { not_boolean: 'neither `true` nor `false`' },
  // A boolean is as long as its cell. The bound is that of `null`, for an empty cell.
  artifactBound: STRING_ARTIFACT_BOUND,
});

const NOT_BOOLEAN = fieldError('not_boolean', 'Allowed: true or false.');
