import { z } from 'zod';
import { counted } from '../../base/text.ts';
import { isLongerThan } from './cell-rules.ts';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
} from './field-type.ts';

/** Unicode code points of a text, and so of a column's name. */
export const TEXT_LENGTH_MAX = 16_384;

/** Any text, kept as it is. */
export const textField = defineFieldType({
  name: 'text',
  schema: z
    .strictObject({
      ...commonMembers,
      type: z.literal('text'),
      maxLength: z
        .int()
        .min(1)
        .max(TEXT_LENGTH_MAX)
        .optional()
        .describe('The largest number of Unicode code points.'),
    })
    .meta({
      id: 'TextField',
      description: 'Any text.',
      example: { key: 'code', type: 'text', required: true, maxLength: 20 },
    }),
  read({ maxLength }, cell) {
    if (maxLength === undefined || !isLongerThan(cell, maxLength)) return fieldValue(cell);
    return fieldError('too_long', `Allowed: at most ${counted(maxLength, 'character')}.`);
  },
  errorCode: { too_long: 'the text is longer than `maxLength`' },
  artifactBound: STRING_ARTIFACT_BOUND,
});
