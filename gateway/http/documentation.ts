import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../../schemas/base/json.ts';

/** A schema with its name and its texts in the OpenAPI document. */
export interface SchemaDocumentation {
  /** The name in `components.schemas`. Schemas of the same form may share one. */
  readonly name: string;
  readonly schema: z.ZodType;
  readonly description: string;
  /** Descriptions of an object's members, by name. {@link COMMON_MEMBERS} has those of the others. */
  readonly members: Readonly<Record<string, string | undefined>>;
  /** A value that the schema accepts; its members are the examples of the members. */
  readonly example: JsonValue;
}

/** The documentation of one operation beside its declaration, for OpenAPI. */
export interface OperationDocumentation {
  readonly description: string;
  /** An example of the body, where that of its schema does not fit: JSON, or the text of a file. */
  readonly request?: JsonValue;
  /** An example of the answer, where that of its schema does not fit. */
  readonly answer?: JsonValue;
  /** The file that is answered: an example, and a schema if it is JSON. */
  readonly file?: { readonly example: JsonValue; readonly schema?: z.ZodType };
  /** Parameters that mean something else than in the other operations of the product. */
  readonly parameters?: Readonly<Record<string, ParameterDocumentation>>;
}

export interface ParameterDocumentation {
  readonly description: string;
  readonly example: string | number;
}

/** The texts of a product's part of the OpenAPI document. */
export interface ProductDocumentation {
  /** Groups the operations. */
  readonly tag: { readonly name: string; readonly description: string };
  /** By the name of the route. */
  readonly operations: Readonly<Record<string, OperationDocumentation>>;
  /** Path and query parameters by name. */
  readonly parameters: Readonly<Record<string, ParameterDocumentation>>;
  readonly schemas: readonly SchemaDocumentation[];
}

type MemberTexts<Schema extends z.ZodType> = Schema extends z.ZodObject
  ? { readonly [Name in keyof Schema['shape']]?: string }
  : Readonly<Record<string, never>>;

/** Gives a schema its name and its texts. The type of the example is that of the JSON which the schema reads. */
export function nameSchema<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  description: string,
  example: z.input<Schema>,
  members?: MemberTexts<Schema>,
): SchemaDocumentation {
  return { name, schema, description, members: { ...members }, example: example as JsonValue };
}

/** Descriptions of members that mean the same in every schema. */
export const COMMON_MEMBERS: Readonly<Record<string, string>> = {
  workspaceId: 'The workspace.',
  installationId: 'The installation: the address of the workspace in paths of the products.',
  organizationId: 'The organization.',
  userId: 'The person.',
  schemaId: 'The import schema.',
  importId: 'The import.',
  checklistId: 'The checklist.',
  capabilityId: 'The capability.',
  credentialId: 'The credential.',
  keyId: 'The API key.',
  invitationId: 'The invitation.',
  name: 'The display name.',
  createdAt: 'The time of the creation, in UTC.',
  updatedAt: 'The time of the latest change, in UTC.',
  expiresAt: 'The time at which it ends, in UTC.',
  revokedAt: 'The time of the revocation, in UTC; null while it is in force.',
  idempotencyKey:
    'Makes repeats of the request safe: a repeat with the same key and body does nothing again. The key with another body gets 409 `idempotency_conflict`.',
  nextCursor: 'The `cursor` of the next page; null on the last one.',
  last4: 'The last four characters of the secret, to tell one from another.',
  email: 'The e-mail address.',
};

/**
 * Checks that the texts and the routes are about each other.
 *
 * @throws {Error} naming an operation that two products describe.
 */
export function operationsByName(
  products: readonly ProductDocumentation[],
): ReadonlyMap<string, OperationDocumentation & { readonly product: ProductDocumentation }> {
  const operations = new Map<string, OperationDocumentation & { readonly product: ProductDocumentation }>();
  for (const product of products) {
    for (const [name, operation] of Object.entries(product.operations)) {
      if (operations.has(name)) throw new Error(`describing the operation ${name}: it has two descriptions`);
      operations.set(name, { ...operation, product });
    }
  }
  return operations;
}

/** Puts descriptions and examples on the members of an object's JSON Schema. References get a description only. */
export function annotate(schema: JsonObject, documentation: SchemaDocumentation): JsonObject {
  const { description, members, example } = documentation;
  const described = withExamples(schema, example);
  const properties = described['properties'] as Record<string, JsonObject> | undefined;
  return {
    ...described,
    description,
    ...(properties === undefined
      ? {}
      : { properties: mapEntries(properties, (name, member) => describeMember(member, name, members)) }),
    examples: [example],
  };
}

function describeMember(member: JsonObject, name: string, texts: SchemaDocumentation['members']): JsonObject {
  const description = texts[name] ?? COMMON_MEMBERS[name];
  return description === undefined ? member : { ...member, description };
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
  const speaks = typeof example === 'boolean' || 'const' in schema || 'enum' in schema;
  return speaks ? schema : { ...schema, examples: [example] };
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
