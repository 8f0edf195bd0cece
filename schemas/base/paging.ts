import { z } from 'zod';

/** Entries of a page where the caller asks for no number, and at most (paths "Console"). */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;

/** The query parameter `limit` of a list, as the digits that a query carries. */
export const pageLimitSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, 'expected a whole number from 1')
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX))
  .optional()
  .transform((limit) => limit ?? PAGE_DEFAULT);
