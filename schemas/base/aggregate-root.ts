import { z } from 'zod';
import { type JsonObject, jsonObjectSchema } from './json.ts';
import { epochMsSchema } from './time.ts';

/** The root document as the store holds it: what the runtime keeps for every product, and the product's own root. */
export const runtimeRootSchema = z.strictObject({
  /** The latest time that a fold was given: time never goes back within an aggregate (infra/docs/decisions/0006-clocks.md). */
  now: epochMsSchema,
  /** Commands folded so far: the version of look-ups and lifecycles. */
  sequence: z.int().nonnegative(),
  /** The slot of the next outcome in the ring for waiters. */
  recentNext: z.int().nonnegative(),
  /** The product's root document; null before the aggregate exists. */
  state: jsonObjectSchema.nullable(),
});

export type RuntimeRoot = z.infer<typeof runtimeRootSchema>;

/** The root of an aggregate that nothing has been folded into. */
export const EMPTY_ROOT: RuntimeRoot = { now: 0, sequence: 0, recentNext: 0, state: null };

/**
 * The part of a root that readers parse. Each state has its own schema, so the members of a state are not parsed here
 * as well.
 */
const rootStateSchema = z.looseObject({ state: z.custom<JsonObject>(isObject).nullable() });

/** The product's root document inside a stored one, for readers that have their own schema for it. */
export function stateOf(document: JsonObject): JsonObject | null {
  return rootStateSchema.parse(document).state;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
