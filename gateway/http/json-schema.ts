import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import { wireForms } from '../../schemas/base/wire.ts';
import { type Limits, limitNamed } from '../../schemas/limits.ts';
import { annotate, type SchemaDocumentation } from './documentation.ts';

type Direction = 'input' | 'output';

/**
 * A zod schema as JSON Schema, draft 2020-12, the dialect of OpenAPI 3.1. Rules that JSON Schema cannot express are
 * left open. Rules that zod cannot express come from {@link wireForms}.
 */
export function jsonSchema(schema: z.ZodType, io: Direction, limits: Limits): JsonObject {
  return convert(schema, io, limits, () => null);
}

/** The named schemas of an OpenAPI document, as far as the schemas described so far refer to them. */
export class SchemaComponents {
  readonly #documentation: ReadonlyMap<z.ZodType, SchemaDocumentation>;
  readonly #limits: Limits;
  readonly #components = new Map<string, JsonObject>();

  constructor(documentation: readonly SchemaDocumentation[], limits: Limits) {
    this.#documentation = new Map(documentation.map((each) => [each.schema, each]));
    this.#limits = limits;
  }

  /**
   * Describes a schema: by a reference, if it has a name, else as {@link jsonSchema} with references to the named schemas
   * inside.
   *
   * @throws {Error} naming a component that stands for two different schemas.
   */
  describe(schema: z.ZodType, io: Direction): JsonObject {
    return this.#refer(schema, io) ?? this.#convert(schema, io);
  }

  /** The documentation of a named schema, or null. */
  documentationOf(schema: z.ZodType): SchemaDocumentation | null {
    return this.#documentation.get(schema) ?? null;
  }

  /** Every component that a reference leads to, by name, in alphabetical order. */
  all(): JsonObject {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(schema: z.ZodType, io: Direction): JsonObject | null {
    const documentation = this.documentationOf(schema);
    if (documentation === null) return null;
    const { name } = documentation;
    const component = annotate(this.#convert(schema, io), documentation);
    const known = this.#components.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, component)) {
      throw new Error(`describing the component ${name}: it stands for two different schemas`);
    }
    this.#components.set(name, component);
    return { $ref: `#/components/schemas/${name}` };
  }

  #convert(schema: z.ZodType, io: Direction): JsonObject {
    return convert(schema, io, this.#limits, (inner) => this.#refer(inner, io));
  }
}

/** @param refer the reference that replaces a schema inside, or null */
function convert(
  schema: z.ZodType,
  io: Direction,
  limits: Limits,
  refer: (inner: z.ZodType) => JsonObject | null,
): JsonObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: keywords }) => {
      const inner = zodSchema as unknown as z.ZodType;
      const reference = inner === schema ? null : refer(inner);
      // A copy of a schema with further checks is that schema, as far as JSON Schema can say.
      const $ref = reference?.['$ref'] ?? keywords.$ref;
      if ($ref !== undefined) {
        replaceAll(keywords, { $ref });
        return;
      }
      const form = wireForms.get(zodSchema);
      if (form === undefined) return;
      if (form.replaces !== undefined) replaceAll(keywords, form.replaces);
      const { maximum } = form;
      Object.assign(keywords, form.adds, maximum && { maximum: limitNamed(limits, maximum) });
    },
  });
  return described as JsonObject;
}

function replaceAll(keywords: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(keywords)) delete keywords[name];
  Object.assign(keywords, by);
}
