import { z } from 'zod';
import { wireForms } from './wire.ts';

/** Entries of a page where the caller asks for no number, and at most (infra/docs/reference/README.md#lists). */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;

const EXPECTED = `expected a whole number from 1 to ${PAGE_MAX}`;

/** The query parameter `limit` of a list, as the digits that a query carries. */
export const pageLimitSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, EXPECTED)
  .transform(Number)
  .refine((limit) => limit <= PAGE_MAX, EXPECTED)
  .optional()
  .transform((limit) => limit ?? PAGE_DEFAULT)
  .register(wireForms, {
    replaces: { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT },
  })
  .register(z.globalRegistry, { description: 'The largest number of entries to return.', example: 20 });

/** The position after a page. */
export const nextCursorSchema = z
  .string()
  .nullable()
  .describe('The `cursor` of the next page; null on the last page.');

/** Says what the query parameter `cursor` is, whatever its form. */
export function cursorSchema<Schema extends z.ZodType>(position: Schema) {
  return position.optional().describe('The `nextCursor` of the page before.');
}

const QUERY_NUMBER_MAX = 999_999_999;

/** A whole number as a query carries it: digits, no sign, no leading zero. */
export function queryNumberSchema(min: 0 | 1, max: number = QUERY_NUMBER_MAX) {
  return z
    .string()
    .regex(
      min === 0 ? /^(0|[1-9][0-9]{0,8})$/ : /^[1-9][0-9]{0,8}$/,
      `expected a whole number from ${min} to ${max}`,
    )
    .transform(Number)
    .refine((number) => number <= max, `expected a whole number from ${min} to ${max}`)
    .register(wireForms, { replaces: { type: 'integer', minimum: min, maximum: max } });
}
