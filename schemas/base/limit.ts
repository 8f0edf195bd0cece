import { z } from 'zod';

/** A whole number that an operator may change in `SVC_LIMITS_FILE`, with its default; its description is its subject. */
export type Limit = z.ZodDefault<z.ZodInt>;

/** Limits by name, as an object schema. */
export type LimitsSchema = z.ZodObject<Readonly<Record<string, Limit>>>;

/**
 * Declares a limit.
 *
 * @param subject what it limits, as the reference lists it
 * @param least the least value that an operator may set
 */
export function limit(subject: string, normally: number, { least = 1 } = {}): Limit {
  return z.int().min(least).default(normally).describe(subject);
}
