import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { jsonSchema } from '../../../gateway/http/openapi/json-schema.ts';
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
  /** The fixed members beside the text, which tell one form of an object from another. */
  readonly beside: Readonly<Record<string, unknown>>;
}

const bodies = productRoutes().flatMap(({ name, query, body }) => [
  ...(query === undefined ? [] : [{ name, schema: query }]),
  ...(body.kind === 'json' ? [{ name, schema: body.schema as z.ZodType }] : []),
]);

const texts = bodies.flatMap(({ name, schema }) =>
  boundedTexts(jsonSchema(schema, 'input', DEFAULT_LIMITS) as JsonSchema, []).map(
    (text): [string, BoundedText] => {
      const place = `${name} ${text.path.join('.')}`;
      return [place, { ...text, place, schema }];
    },
  ),
);

describe('lengths in the OpenAPI document, which count code points,', () => {
  it.each(texts)('are those of the service for %s', (_place, bounded) => {
    const { maxLength } = bounded;
    expect(faultsAt(bounded, ASTRAL.repeat(maxLength))).toEqual([]);
    expect(faultsAt(bounded, ASTRAL.repeat(maxLength + 1))).toEqual([
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
  beside: BoundedText['beside'] = {},
): Pick<BoundedText, 'path' | 'maxLength' | 'beside'>[] {
  const { type, maxLength, pattern, properties = {}, items, anyOf, oneOf } = schema;
  const takesAstral = pattern === undefined || new RegExp(pattern, 'u').test(ASTRAL);
  if (type === 'string' && maxLength !== undefined && takesAstral) return [{ path, maxLength, beside }];
  const consts = Object.entries(properties).filter(([, member]) => 'const' in member);
  const fixed = Object.fromEntries(consts.map(([name, member]) => [name, member.const]));
  return [
    ...Object.entries(properties).flatMap(([name, member]) => boundedTexts(member, [...path, name], fixed)),
    ...(items === undefined ? [] : boundedTexts(items, [...path, '0'], beside)),
    ...(anyOf ?? oneOf ?? []).flatMap((each) => boundedTexts(each, path)),
  ];
}

/** The messages about one member of a request that has nothing else. */
function faultsAt({ schema, path, beside }: BoundedText, text: string): string[] {
  const named = path.findLastIndex((name) => name !== '0');
  const request = path.reduceRight<unknown>((inner, name, depth) => {
    if (name === '0') return [inner];
    return depth === named ? { ...beside, [name]: inner } : { [name]: inner };
  }, text);
  const issues = schema.safeParse(request).error?.issues ?? [];
  return issues.filter((issue) => issue.path.join('.') === path.join('.')).map(({ message }) => message);
}
