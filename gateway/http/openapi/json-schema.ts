import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { exampleOf } from '../../../schemas/base/examples.ts';
import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';
import { makePortable } from '../../../schemas/base/portable.ts';
import { keywords as metadata, wireForms, withSingleTypes } from '../../../schemas/base/wire.ts';
import { type Limits, limitNamed } from '../../../schemas/limits.ts';
import { PRINCIPALS } from '../../principals.ts';

/** Place of a schema. Only parameters keep a default: where a body has one, generators make the member required. */
type Direction = 'parameters' | 'input' | 'output';

/**
 * A zod schema as JSON Schema, draft 2020-12, the dialect of OpenAPI 3.1. Rules that JSON Schema cannot express are
 * left open. Rules that zod cannot express come from {@link wireForms}.
 */
export function jsonSchema(schema: z.ZodType, io: Direction, limits: Limits): JsonObject {
  return convert(schema, io, limits, () => null);
}

/** The named schemas of an OpenAPI document, as far as the schemas described so far refer to them. */
export class SchemaComponents {
  readonly #limits: Limits;
  readonly #components = new Map<string, JsonObject>();

  constructor(limits: Limits) {
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

  /** The example of a schema; undefined for one without a name. */
  exampleOf(schema: z.ZodType): JsonValue | undefined {
    const named = namedSchema(schema);
    return named === null ? undefined : (exampleOf(named.schema) as JsonValue);
  }

  /** Every component that a reference leads to, by name, in alphabetical order. */
  all(): JsonObject {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(schema: z.ZodType, io: Direction): JsonObject | null {
    const named = namedSchema(schema);
    if (named === null) return null;
    const example = exampleOf(named.schema) as JsonValue;
    const component = { ...withExamples(this.#convert(named.schema, io), example), examples: [example] };
    return {
      ...this.#add(named.id, { ...component, ...nameInOgen(named.id) }),
      ...ownDescription(schema, named.schema),
    };
  }

  #add(name: string, component: JsonObject): JsonObject {
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

/** Gives a schema that is called like a kind of credential another name in ogen, which makes a type of both. */
function nameInOgen(name: string): JsonObject {
  return name.toLowerCase() in PRINCIPALS ? { 'x-ogen-name': `${name}Schema` } : {};
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
    io: io === 'output' ? 'output' : 'input',
    unrepresentable: 'any',
    metadata,
    override: ({ zodSchema, jsonSchema: keywords }) => {
      const inner = zodSchema as unknown as z.ZodType;
      const reference = inner === schema ? null : refer(inner);
      if (reference !== null) {
        replaceAll(keywords, reference);
        return;
      }
      const { $ref, description } = keywords;
      const text = description === undefined ? {} : { description };
      // A copy of a schema with further checks is that schema, as far as JSON Schema can say.
      if ($ref !== undefined) {
        replaceAll(keywords, { $ref, ...text });
        return;
      }
      Object.assign(keywords, discriminatorOf(inner, refer));
      const { replaces, adds, maximum } = wireForms.get(zodSchema) ?? {};
      if (replaces !== undefined) replaceAll(keywords, { ...replaces, ...text });
      Object.assign(keywords, adds, maximum && { maximum: limitNamed(limits, maximum) });
      if (io !== 'parameters') delete keywords.default;
      makePortable(keywords);
    },
  });
  return withSingleTypes(described) as JsonObject;
}

/** The keyword that leads generated code from a member to the alternative, where each alternative has a name. */
function discriminatorOf(schema: z.ZodType, refer: (inner: z.ZodType) => JsonObject | null): JsonObject {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return {};
  const propertyName = schema.def.discriminator;
  const mapping: Record<string, JsonValue> = {};
  for (const option of schema.options as readonly z.ZodObject[]) {
    const { $ref } = refer(option) ?? {};
    const literal = option.shape[propertyName];
    if ($ref === undefined || !(literal instanceof z.ZodLiteral)) return {};
    for (const value of literal.values) mapping[String(value)] = $ref;
  }
  return { discriminator: { propertyName, mapping } };
}

/** The schema with a name that a schema is, or is a copy of with further checks or texts. */
function namedSchema(schema: z.core.$ZodType): { readonly id: string; readonly schema: z.ZodType } | null {
  const { id } = z.globalRegistry.get(schema) ?? {};
  if (id !== undefined) return { id, schema: schema as z.ZodType };
  return schema._zod.parent === undefined ? null : namedSchema(schema._zod.parent);
}

function ownDescription(copy: z.ZodType, named: z.ZodType): JsonObject {
  const { description } = copy;
  return description === undefined || description === named.description ? {} : { description };
}

function replaceAll(keywords: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(keywords)) delete keywords[name];
  Object.assign(keywords, by);
}

/** Adds the parts of an example to the schemas of texts and numbers inside. A fixed value is its own example. */
function withExamples(schema: JsonObject, example: JsonValue | undefined): JsonObject {
  if (example === undefined || example === null || '$ref' in schema) return schema;
  const { properties, items } = schema;
  if (Array.isArray(example)) {
    return isSchema(items) ? { ...schema, items: withExamples(items, example[0]) } : schema;
  }
  if (typeof example === 'object') {
    if (!isSchema(properties)) return schema;
    const values = example as JsonObject;
    const members = mapEntries(properties as Record<string, JsonObject>, (name, member) =>
      withExamples(member, values[name]),
    );
    return { ...schema, properties: members };
  }
  const isItsOwnExample = typeof example === 'boolean' || 'const' in schema || 'enum' in schema;
  return isItsOwnExample ? schema : { ...schema, examples: [example] };
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapEntries(
  object: Readonly<Record<string, JsonObject>>,
  map: (name: string, member: JsonObject) => JsonObject,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(name, member)]));
}
