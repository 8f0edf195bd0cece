import { z } from 'zod';

/** Entries of a page where the caller asks for no number, and at most (paths "Console"). */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;

/** The query parameter `limit` of a list. */
export const pageLimitSchema = z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT);
