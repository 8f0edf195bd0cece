// Reads: the OpenAPI document, as far as pages are made of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A JSON Schema as the document has them: everything that a page shows, and nothing else. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    items: schemaSchema.optional(),
    anyOf: z.array(schemaSchema).optional(),
    oneOf: z.array(schemaSchema).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().default(''),
  schema: schemaSchema,
  example: z.union([z.string(), z.number()]).optional(),
});

const referenceSchema = z.object({ $ref: z.string() });

const contentSchema = z.record(
  z.string(),
  z.object({ schema: schemaSchema.optional(), example: z.json().optional() }),
);

const responseSchema = z.object({ description: z.string(), content: contentSchema.optional() });

/** The schema of a refusal names its codes. */
const errorSchema = z.object({
  content: z.object({ 'application/json': z.object({ schema: schemaSchema }) }),
});

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.union([referenceSchema, parameterSchema])),
  requestBody: z.object({ required: z.boolean(), content: contentSchema }).optional(),
  responses: z.record(z.string(), z.union([referenceSchema, responseSchema])),
});

const documentSchema = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), schemaSchema),
    parameters: z.record(z.string(), parameterSchema),
    responses: z.record(z.string(), errorSchema),
    securitySchemes: z.record(
      z.string(),
      z.object({ description: z.string(), bearerFormat: z.string().optional() }),
    ),
  }),
});

export type ApiDocument = z.infer<typeof documentSchema>;
type Parameter = z.infer<typeof parameterSchema>;
type Content = z.infer<typeof contentSchema>;

/** One operation with everything that its page shows. References of parameters are resolved, those of schemas are not. */
export interface Operation {
  readonly name: string;
  readonly tag: string;
  readonly method: string;
  /** With names in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The name of the security scheme; null: anyone may send it. */
  readonly credential: string | null;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  readonly success: { readonly status: string; readonly description: string; readonly body: Body | null };
  readonly errors: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

export interface Body {
  readonly contentType: string;
  readonly schema: Schema;
  readonly example: z.infer<ReturnType<typeof z.json>> | undefined;
}

const SNAPSHOT = join(import.meta.dirname, '../interface/openapi.snap.json');

/** Reads the document that `npm run interface` writes. Its addresses are those of one process without settings. */
export function readApi(): { readonly document: ApiDocument; readonly operations: readonly Operation[] } {
  const document = documentSchema.parse(JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => operationOf(document, path, method, each)),
  );
  return { document, operations };
}

function operationOf(
  document: ApiDocument,
  path: string,
  method: string,
  operation: z.infer<typeof operationSchema>,
): Operation {
  const { components } = document;
  const [status = '', success] =
    Object.entries(operation.responses).find(([each]) => each.startsWith('2') || each.startsWith('3')) ?? [];
  const answer = success === undefined || '$ref' in success ? null : success;
  return {
    name: operation.operationId,
    tag: operation.tags[0],
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    credential: Object.keys(operation.security[0] ?? {})[0] ?? null,
    parameters: operation.parameters.map((each) =>
      withExample('$ref' in each ? named(components.parameters, each.$ref) : each),
    ),
    body: operation.requestBody === undefined ? null : bodyOf(operation.requestBody.content),
    success: {
      status,
      description: answer?.description ?? '',
      body: answer?.content === undefined ? null : bodyOf(answer.content),
    },
    errors: Object.entries(operation.responses).flatMap(([each, response]) =>
      '$ref' in response
        ? [{ status: each, codes: codesOf(named(components.responses, response.$ref)) }]
        : [],
    ),
  };
}

/** Headers have their example in the schema. An id without a description has its example as one. */
function withExample(parameter: Parameter): Parameter {
  const [inSchema] = parameter.schema.examples ?? [];
  const example = parameter.example ?? (typeof inSchema === 'string' ? inSchema : undefined);
  if (example === undefined) return parameter;
  return { ...parameter, example, description: parameter.description || `Such as \`${example}\`.` };
}

function bodyOf(content: Content): Body | null {
  const [first] = Object.entries(content);
  if (first === undefined) return null;
  const [contentType, { schema = {}, example }] = first;
  return { contentType, schema, example };
}

function codesOf({ content }: z.infer<typeof errorSchema>): string[] {
  const code = content['application/json'].schema.properties?.['error']?.properties?.['code'];
  return (code?.enum ?? [code?.const]).map(String);
}

/**
 * Returns the component that a reference names.
 *
 * @throws {Error} if there is none
 */
export function named<Value>(components: Readonly<Record<string, Value>>, reference: string): Value {
  const name = reference.split('/').at(-1) ?? '';
  const found = components[name];
  if (found === undefined) throw new Error(`reading the OpenAPI document: ${reference} leads nowhere`);
  return found;
}
