import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { jsonSchema } from '../../../gateway/http/json-schema.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { productRoutes } from '../../service/gateway.ts';
import type { JsonSchema } from '../../testing/e2e/borders/values.fixture.ts';

/** One code point, two UTF-16 units. */
const ASTRAL = '😀';

/** A text of a request whose description bounds its length, and that may consist of such characters. */
interface BoundedText {
  readonly place: string;
  readonly schema: z.ZodType;
  readonly path: readonly string[];
  readonly maxLength: number;
}

const bodies = productRoutes().flatMap(({ name, query, body }) => [
  ...(query === undefined ? [] : [{ name, schema: query }]),
  ...(body.kind === 'json' ? [{ name, schema: body.schema as z.ZodType }] : []),
]);

const texts = bodies.flatMap(({ name, schema }) =>
  boundedTexts(jsonSchema(schema, 'input', DEFAULT_LIMITS) as JsonSchema, []).map(
    ({ path, maxLength }): [string, BoundedText] => {
      const place = `${name} ${path.join('.')}`;
      return [place, { place, schema, path, maxLength }];
    },
  ),
);

describe('lengths in the OpenAPI document, which count code points,', () => {
  it.each(texts)('are those of the service for %s', (_place, { schema, path, maxLength }) => {
    expect(faultsAt(schema, path, ASTRAL.repeat(maxLength))).toEqual([]);
    expect(faultsAt(schema, path, ASTRAL.repeat(maxLength + 1))).toEqual([
      expect.stringContaining(`${maxLength} character`),
    ]);
  });

  it('are there for names and passwords', () => {
    const places = texts.map(([place]) => place);
    expect(places).toEqual(
      expect.arrayContaining(['createKey name', 'changeEmail password', 'check identifier']),
    );
  });
});

function boundedTexts(
  schema: JsonSchema,
  path: readonly string[],
): Pick<BoundedText, 'path' | 'maxLength'>[] {
  const { type, maxLength, pattern, properties = {}, items, anyOf, oneOf } = schema;
  const takesAstral = pattern === undefined || new RegExp(pattern, 'u').test(ASTRAL);
  if (type === 'string' && maxLength !== undefined && takesAstral) return [{ path, maxLength }];
  return [
    ...Object.entries(properties).flatMap(([name, member]) => boundedTexts(member, [...path, name])),
    ...(items === undefined ? [] : boundedTexts(items, [...path, '0'])),
    ...(anyOf ?? oneOf ?? []).flatMap((each) => boundedTexts(each, path)),
  ];
}

/** The messages about one member of a request that has nothing else. */
function faultsAt(schema: z.ZodType, path: readonly string[], text: string): string[] {
  const request = path.reduceRight<unknown>(
    (inner, name) => (name === '0' ? [inner] : { [name]: inner }),
    text,
  );
  const issues = schema.safeParse(request).error?.issues ?? [];
  return issues.filter((issue) => issue.path.join('.') === path.join('.')).map(({ message }) => message);
}
