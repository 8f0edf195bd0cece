import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SchemaComponents } from '../../../gateway/http/openapi/json-schema.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { productRoutes } from '../../service/gateway.ts';
import { describeService } from '../../service/interface.ts';

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: unknown;
  readonly name?: string;
}

interface Operation extends Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Described[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, Described & { readonly schema?: Described }>>;

interface Document {
  readonly tags: readonly (Described & { readonly name: string })[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, Described & { readonly properties?: Readonly<Record<string, Described>> }>
    >;
    readonly parameters: Readonly<Record<string, Described>>;
    readonly responses: Readonly<
      Record<
        string,
        { readonly content: Record<string, { readonly schema: { readonly allOf?: Described[] } }> }
      >
    >;
  };
}

const document = describeService().openapi as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const routes = productRoutes();

/** A sentence: an upper-case letter or a code in front, a full stop behind. */
const SENTENCE = /^[A-Z`].*\.$/s;

describe('the documentation of the routes', () => {
  it.each(routes.map((route) => [route.name, route] as const))('has right examples of %s', (name, route) => {
    const { body, success } = route;
    const operation = operations.find(({ operationId }) => operationId === name);
    const answer = operation?.responses[success.status]?.content ?? {};
    const issuesOf = (schema: z.ZodType | string | undefined, content: Described | undefined) =>
      schema instanceof z.ZodType ? (schema.safeParse(content?.example).error?.issues ?? []) : [];
    if (body.kind === 'json') {
      expect(issuesOf(body.schema, operation?.requestBody?.content['application/json'])).toEqual([]);
    }
    expect(issuesOf(success.schema, answer['application/json'])).toEqual([]);
    expect(issuesOf(success.file, answer[success.attachment ?? ''])).toEqual([]);
    expect(success.file !== undefined).toBe(success.attachment !== undefined);
  });
});

describe('the OpenAPI document', () => {
  it('has sentences about every tag, operation and schema, and no other texts about members', () => {
    const { components } = document;
    const members = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([member, each]) => [`${name}.${member}`, each] as const),
    );
    const parameters = operations.flatMap(({ operationId, parameters: own }) =>
      own
        .filter(({ $ref }) => $ref === undefined)
        .map((each) => [`${operationId} ${each.name}`, each] as const),
    );
    const described: (readonly [string, Described])[] = [
      ...document.tags.map((tag) => [tag.name, tag] as const),
      ...operations.map((operation) => [operation.operationId, operation] as const),
      ...Object.entries(components.schemas),
      ...[...Object.entries(components.parameters), ...members, ...parameters].filter(
        ([, { description }]) => description !== undefined,
      ),
    ];
    expect(
      described.filter(([, each]) => !SENTENCE.test(each.description ?? '')).map(([name]) => name),
    ).toEqual([]);
  });

  it('puts every operation under one of its tags', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { tags: own } of operations) {
      expect(own).toHaveLength(1);
      expect(tags).toContain(own[0]);
    }
  });

  it('has a named schema and an example for every body', () => {
    const bodies = operations.flatMap(({ operationId, requestBody, responses }) => [
      ...Object.entries(requestBody?.content ?? {}).map(([type, content]) => ({
        operationId,
        type,
        content,
      })),
      ...Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content).map(([type, each]) => ({ operationId, type, content: each })),
      ),
    ]);
    const lacking = bodies.filter(
      ({ type, content }) =>
        content.example === undefined || (type === 'application/json' && content.schema?.$ref === undefined),
    );
    expect(lacking.map(({ operationId, type }) => `${operationId} ${type}`)).toEqual([]);
  });

  it('has an example for every parameter of a path', () => {
    const paths = Object.entries(document.components.parameters).filter(
      ([, each]) => 'in' in each && each.in === 'path',
    );
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter(([, { example }]) => example === undefined)).toEqual([]);
  });

  it('shares one schema and the named responses among all errors', () => {
    const errors = operations.flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    );
    expect(errors.every(([, response]) => '$ref' in response)).toBe(true);
    const schemasOf = Object.values(document.components.responses).map(
      ({ content }) => content['application/json']?.schema.allOf?.[0],
    );
    expect(schemasOf.length).toBeGreaterThan(0);
    expect(schemasOf.filter((schema) => schema?.$ref !== '#/components/schemas/Error')).toEqual([]);
  });
});

describe('SchemaComponents', () => {
  const named = (at: z.ZodType) =>
    z.strictObject({ at }).meta({ id: 'Thing', description: 'A thing.', example: { at: 'x' } });

  it('refers to a named schema wherever it occurs, and to copies of it with further checks', () => {
    const thing = named(z.string());
    const components = new SchemaComponents(DEFAULT_LIMITS);
    const reference = { $ref: '#/components/schemas/Thing' };
    const all = z.strictObject({
      one: thing,
      list: z.array(thing),
      maybe: thing.optional(),
      none: thing.nullable(),
      checked: thing.refine(() => true),
      described: thing.describe('Another thing.'),
    });
    expect(components.describe(all, 'input')['properties']).toEqual({
      one: reference,
      list: { type: 'array', items: reference },
      maybe: reference,
      none: { anyOf: [reference, { type: 'null' }] },
      checked: reference,
      described: { ...reference, description: 'Another thing.' },
    });
    expect(components.describe(thing, 'output')).toEqual(reference);
    expect(components.all()['Thing']).toMatchObject({
      type: 'object',
      description: 'A thing.',
      properties: { at: { type: 'string', examples: ['x'] } },
    });
  });

  it('rejects a name that stands for two different schemas', () => {
    const [left, right] = [named(z.string()), named(z.string().max(3))];
    const components = new SchemaComponents(DEFAULT_LIMITS);
    components.describe(left, 'input');
    expect(() => components.describe(right, 'input')).toThrow('Thing: it stands for two different schemas');
  });

  it('rejects a named schema that reads other JSON than it writes', () => {
    const thing = named(z.string().default('x'));
    const components = new SchemaComponents(DEFAULT_LIMITS);
    components.describe(thing, 'input');
    expect(() => components.describe(thing, 'output')).toThrow('two different schemas');
  });
});
