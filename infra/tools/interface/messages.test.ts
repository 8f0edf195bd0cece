import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchema } from '../../../gateway/http/openapi/json-schema.ts';
import { idempotencyKeySchema } from '../../../schemas/base/command.ts';
import { ServiceError } from '../../../schemas/base/errors.ts';
import { SECRET_BYTES, secretFrom } from '../../../schemas/base/secrets.ts';
import { type InputPlace, parseInput } from '../../../schemas/base/validation.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { productRoutes } from '../../service/gateway.ts';
import { fitting, type JsonSchema } from '../../testing/e2e/borders/values.fixture.ts';
import { type Arrival, HIDDEN, wrongInputs } from './wrong-inputs.fixture.ts';

/** Right inputs that are drawn to find one of each kind. */
const EXAMPLES_DRAWN = 300;

/** The names of its parts, what was seen, and what is allowed instead. */
const SENTENCE =
  /^(?<place>(?:body|path|query|header\.[A-Za-z-]+)[^:]*): seen (?<seen>[^,]+), expected (?<allowed>\S.*)\.$/s;

const VAGUE = /expected another value|Invalid input|OpenAPI document|the form |undefined|\[object/;

type Driven = readonly [name: string, schema: z.ZodType, place: InputPlace, arrival: Arrival];

/** Every schema that reads a part of a request. */
const driven: Driven[] = [
  ...productRoutes().flatMap(({ name, params, query, body }): Driven[] => [
    ...(params === undefined ? [] : [[`${name} path`, params, 'path', 'texts'] as const]),
    ...(query === undefined ? [] : [[`${name} query`, query, 'query', 'texts'] as const]),
    ...(body.kind === 'none' || body.schema === undefined
      ? []
      : [[`${name} body`, body.schema, 'body', 'json'] as const]),
  ]),
  ['the header Idempotency-Key', idempotencyKeySchema, 'header.Idempotency-Key', 'texts'],
];

/** Parameters that a standard names (OpenID Connect): whatever comes is handed on. */
const OPEN = new Set(['finishOidc query']);

describe('a refusal of', () => {
  it.each(driven.filter(([name]) => !OPEN.has(name)))(
    '%s names the field, what was seen and what is allowed',
    (_name, schema, place, arrival) => {
      const wrong = examplesOf(schema, arrival).flatMap((right) => wrongInputs(schema, right, arrival));
      const faulty = wrong.flatMap(({ fault, path, input }) => {
        const message = messageOf(schema, input, place);
        const fits = message !== null && isClear(message, `${place}${textOf(path)}`);
        return fits ? [] : [{ fault, path: textOf(path), message }];
      });
      expect(faulty).toEqual([]);
    },
  );

  it('leaves nothing out that it is not told to', () => {
    const open = driven.filter(([name]) => OPEN.has(name)).map(([, schema]) => schema);
    expect(open.map((schema) => schema instanceof z.ZodRecord)).toEqual([true]);
  });
});

describe('wrongInputs', () => {
  it('says so when it meets a kind of schema that it cannot drive', () => {
    expect(() => wrongInputs(z.strictObject({ at: z.bigint() }), { at: 1n }, 'json')).toThrow('bigint');
  });

  it('says so when it has no example for a check', () => {
    const schema = z.string().refine((text) => text !== 'an example that is not listed');
    expect(() => wrongInputs(schema, 'right', 'json')).toThrow('custom');
  });

  it('finds a refinement without words', () => {
    const schema = z.strictObject({ name: z.string().refine((text) => text !== '') });
    const [wrong] = wrongInputs(schema, { name: 'right' }, 'json').filter(({ fault }) =>
      /custom/.test(fault),
    );
    expect(isClear(messageOf(schema, wrong?.input, 'body') ?? '', 'body.name')).toBe(false);
  });
});

/** Right inputs with every optional member in them: one for every alternative of its unions. */
function examplesOf(schema: z.ZodType, arrival: Arrival): unknown[] {
  const described = withEverything(jsonSchema(schema, 'input', DEFAULT_LIMITS) as JsonSchema);
  const examples = new Map<string, unknown>();
  for (const drawn of fc.sample(fitting(described), { numRuns: EXAMPLES_DRAWN, seed: 1 })) {
    const value = arrival === 'texts' ? asTexts(drawn) : withSecrets(drawn);
    const kinds = JSON.stringify(kindsIn(value));
    if (!examples.has(kinds) && schema.safeParse(value).success) examples.set(kinds, value);
  }
  if (examples.size === 0) throw new Error('drawing a right input');
  return [...examples.values()];
}

/** A message with the sentences of its faults: the first is about the fault that was made. */
function isClear(message: string, field: string): boolean {
  const sentence = SENTENCE.exec(message)?.groups;
  if (sentence === undefined || VAGUE.test(message) || message.includes(HIDDEN)) return false;
  return sentence['place']?.startsWith(field) === true;
}

function messageOf(schema: z.ZodType, input: unknown, place: InputPlace): string | null {
  try {
    parseInput(schema, input, place);
    return null;
  } catch (error) {
    return error instanceof ServiceError ? error.refusal.message : String(error);
  }
}

/** A path as messages write it. Members of a refused object may stand for it. */
function textOf(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
}

/** The same schema without leave to leave anything out, to be empty, or to be null. */
function withEverything(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema;
  const filled = anyOf?.filter(({ type }) => type !== 'null') ?? oneOf;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, withEverything(member)]),
          ),
          required: Object.keys(properties),
        }),
    ...(items === undefined ? {} : { items: withEverything(items), minItems: 1, maxItems: 1 }),
    ...(filled === undefined ? {} : { anyOf: filled.map(withEverything), oneOf: undefined }),
  } as JsonSchema;
}

/** The values of members that tell alternatives apart. */
function kindsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kindsIn);
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([name, member]) => (name === 'type' ? member : kindsIn(member)));
}

/** Parameters arrive as texts. */
function asTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member)]));
}

/** A pattern cannot ask for the checksum of a secret, so one that was drawn is replaced by one that is right. */
function withSecrets(value: unknown): unknown {
  if (typeof value === 'string') {
    const kind = /^svc_([a-z]+)_/.exec(value)?.[1];
    return kind === undefined ? value : secretFrom(kind, new Uint8Array(SECRET_BYTES));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSecrets(member)]));
}
