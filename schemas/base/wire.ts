import { z } from 'zod';
import type { Limits } from '../limits.ts';

/** Keywords of JSON Schema with their values. */
export type Keywords = Readonly<Record<string, unknown>>;

/** What OpenAPI says of a request's schema where JSON Schema cannot be derived from zod. */
export interface WireForm {
  /** The whole JSON Schema: for a query parameter, which zod reads as text and OpenAPI has types for. */
  readonly replaces?: Keywords;
  /** Keywords besides those that zod knows: what a refinement checks. */
  readonly adds?: Keywords;
  /** The greatest number that a handler takes: an operator can change it. */
  readonly maximum?: (limits: Limits) => number;
}

/**
 * Schemas of requests with their {@link WireForm}. Registered last: a schema that is derived from a registered one, as by
 * `.optional()`, keeps it inside, and one that `.refine()` copies does not.
 */
export const wireForms = z.registry<WireForm>();
