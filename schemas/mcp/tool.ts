import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { keywords, wireForms, withSingleTypes } from '../base/wire.ts';

/** The effects of a tool, as the Model Context Protocol names them. Every tool states all of them. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  /** True if a call can end or replace something that exists. */
  readonly destructiveHint: boolean;
  /** True if a repeat with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** An HTTP request that a tool makes. It is a route of the gateway. */
export interface ToolOperation {
  readonly method: 'GET' | 'POST';
  /** As the route declares it. `:installationId` is the installation of the caller's credential. */
  readonly path: string;
}

export interface OperationInput {
  /** Path parameters besides `installationId`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Sends an operation as the caller of the tool, and returns the body of its answer. Rejects with its refusal. */
export type CallOperation = (operation: ToolOperation, input?: OperationInput) => Promise<JsonObject>;

/**
 * A tool of the Model Context Protocol as data. It does nothing by itself: an adapter gives it a way to call operations, inside
 * the gateway or over HTTP.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<JsonObject>;
  /** True: the list of tools names the members of the answer, and another tool or the description says what they hold. */
  readonly isOutlined?: boolean;
  /** Every operation that it may call. */
  readonly operations: readonly ToolOperation[];
  run(input: Input, call: CallOperation): Promise<JsonObject>;
}

/** Declares a tool; only checks the types. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

/** Describes a tool as an entry of the answer to `tools/list`. */
export function describeTool({ name, title, description, hints, input, output, isOutlined }: Tool) {
  const outputSchema = jsonSchemaOf(output, 'output');
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: isOutlined === true ? outlineOf(outputSchema) : outputSchema,
    annotations: { title, ...hints },
  };
}

/**
 * Keywords that the schema of an answer lacks. A model sees the form of a value in the value, and the description of the tool says
 * what counts. They would be half of the list.
 */
const LEFT_OUT = [
  ...['description', 'pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
] as const;

interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** JSON Schema of an object, draft 2020-12. Rules that JSON Schema cannot express are left open. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    metadata: keywords,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, wireForms.get(zodSchema)?.adds);
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (io === 'output') for (const keyword of LEFT_OUT) delete jsonSchema[keyword];
    },
  });
  return { ...(describedOnce(withSingleTypes(described)) as object), type: 'object' };
}

interface Alternative {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** Keeps only the type of a member that the first of several alternatives describes in the same way. */
function describedOnce(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describedOnce);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { oneOf = [] } = schema as { readonly oneOf?: readonly Alternative[] };
  const [first, ...others] = oneOf;
  const shorter = others.map(({ properties = {}, ...alternative }) => ({
    ...alternative,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        const isKnown = JSON.stringify(member) === JSON.stringify(first?.properties?.[name]);
        return [name, isKnown ? { type: member.type } : member];
      }),
    ),
  }));
  const members = Object.entries({ ...schema, ...(first && { oneOf: [first, ...shorter] }) });
  return Object.fromEntries(members.map(([name, member]) => [name, describedOnce(member)]));
}

/** Keeps of each member only its type. */
function outlineOf({ required: _all, ...schema }: ObjectSchema): ObjectSchema {
  const members = Object.entries(Object(schema['properties']) as Record<string, object>).map(
    ([name, member]) => [name, 'type' in member ? { type: member.type } : {}],
  );
  return { ...schema, properties: Object.fromEntries(members) };
}
