import { z } from 'zod';
import { DATE_FORMATS, readCalendarDate } from './calendar-date.ts';
import {
  commonMembers,
  defineFieldType,
  fieldError,
  fieldValue,
  STRING_ARTIFACT_BOUND,
} from './field-type.ts';

/** A date in one format, delivered as `YYYY-MM-DD`, which is as long as every format. */
export const dateField = defineFieldType({
  name: 'date',
  schema: z
    .strictObject({
      ...commonMembers,
      type: z.literal('date'),
      format: z.enum(DATE_FORMATS).optional().describe('The format of the cells; YYYY-MM-DD if absent.'),
    })
    .meta({
      id: 'DateField',
      description: 'A date. It is delivered as YYYY-MM-DD.',
      example: {
        key: 'ordered',
        type: 'date',
        required: false,
        format: 'DD.MM.YYYY',
        label: 'Order date',
        description: 'The day on which the order was placed.',
        aliases: ['Bestelldatum', '注文日'],
        example: '31.01.2026',
      },
    }),
  read({ format = 'YYYY-MM-DD' }, cell) {
    const value = readCalendarDate(cell, format);
    return value === null
      ? fieldError('not_date', `Allowed: a date that exists, written as ${format}.`)
      : fieldValue(value);
  },
  errorCode: { not_date: "no date in the field's format" },
  artifactBound: STRING_ARTIFACT_BOUND,
});
