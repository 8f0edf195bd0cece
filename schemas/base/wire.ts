import { z } from 'zod';

/** Keywords of JSON Schema with their values. */
export type Keywords = Readonly<Record<string, unknown>>;

/** The OpenAPI form of a request's schema where JSON Schema cannot be derived from zod. */
export interface WireForm {
  /** The whole JSON Schema: for a query parameter, which zod reads as text and OpenAPI has types for. */
  readonly replaces?: Keywords;
  /** Keywords that zod does not know, for refinements. */
  readonly adds?: Keywords;
  /** The limit that is the greatest number which a handler takes, as `SVC_LIMITS_FILE` nests it: an operator can change it. */
  readonly maximum?: `${string}.${string}`;
}

/**
 * Schemas of requests with their {@link WireForm}. Registered last: a schema that is derived from a registered one, as by
 * `.optional()`, keeps it inside, and one that `.refine()` copies does not.
 */
export const wireForms = z.registry<WireForm>();

/** The texts and keywords that schemas have by `.meta()`, without what is for the OpenAPI document only. */
class KeywordRegistry extends z.core.$ZodRegistry<z.core.JSONSchemaMeta> {
  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const { id: _id, example: _example, ...keywords } = z.globalRegistry.get(schema) ?? {};
    return keywords as never;
  }
}

/**
 * The `metadata` of every conversion to JSON Schema. A schema says the rest itself: `description` by `.describe()`, and by
 * `.meta()` besides it the `id`, which is the name of a component of the OpenAPI document, and an `example`.
 */
export const keywords: z.core.$ZodRegistry<z.core.JSONSchemaMeta> = new KeywordRegistry();

/** Writes `"type": ["string", "null"]` as alternatives: some clients and generators know only one type for each schema. */
export function withSingleTypes(schema: object): object {
  const members = Object.entries(schema).map(([keyword, value]) =>
    keyword === 'type' && Array.isArray(value)
      ? ['anyOf', value.map((type) => ({ type }))]
      : [keyword, mapObjects(value, withSingleTypes)],
  );
  return Object.fromEntries(members);
}

function mapObjects(value: unknown, map: (object: object) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, map));
  return typeof value === 'object' && value !== null ? map(value) : value;
}
