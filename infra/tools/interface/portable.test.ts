import { describe, expect, it } from 'vitest';
import { describeService } from '../../service/interface.ts';

type Json = Readonly<Record<string, unknown>>;

/** A rule that keeps common generators of clients working (infra/docs/other-languages.md). */
interface Rule {
  readonly name: string;
  readonly breaks: (schema: Json) => boolean;
  readonly broken: Json;
}

const INT32_MAX = 2 ** 31 - 1;

const RULES: readonly Rule[] = [
  {
    name: 'an integer beyond 31 bits has the format int64',
    breaks: ({ type, format, minimum, maximum }) =>
      type === 'integer' &&
      (Number(maximum) > INT32_MAX || Number(minimum) < -INT32_MAX - 1) &&
      format !== 'int64',
    broken: { type: 'integer', maximum: Number.MAX_SAFE_INTEGER },
  },
  {
    name: 'a number has the format double',
    breaks: ({ type, format }) => type === 'number' && format !== 'double',
    broken: { type: 'number' },
  },
  {
    name: 'an integer has its bounds inside',
    breaks: (schema) => 'exclusiveMinimum' in schema || 'exclusiveMaximum' in schema,
    broken: { type: 'integer', exclusiveMinimum: 0 },
  },
  {
    name: 'only a text has fixed values',
    breaks: ({ const: fixed = '', enum: values = [] }) =>
      [fixed, ...(values as unknown[])].some((value) => typeof value !== 'string'),
    broken: { type: 'boolean', const: true },
  },
  {
    name: 'a schema has one type',
    breaks: ({ type }) => Array.isArray(type),
    broken: { type: ['string', 'boolean', 'null'] },
  },
  {
    name: 'alternatives differ in their types',
    breaks: ({ anyOf = [] }) => {
      const types = (anyOf as Json[]).flatMap(({ type }) => (type === undefined ? [] : [type]));
      const read = types.map((type) => (type === 'integer' ? 'number' : type));
      return new Set(read).size < read.length;
    },
    broken: { anyOf: [{ type: 'number' }, { type: 'integer', minimum: 60 }] },
  },
  {
    name: 'a time has no pattern',
    breaks: ({ format, pattern }) => format === 'date-time' && pattern !== undefined,
    broken: { type: 'string', format: 'date-time', pattern: 'Z$' },
  },
  {
    name: 'a pattern is ASCII, needs no flag, looks neither ahead nor back, and has neither a separator of lines nor a slash as its end',
    breaks: ({ pattern }) => pattern !== undefined && !isPortable(String(pattern)),
    broken: { type: 'string', pattern: '^[\u{1f000}-\u{1faff}]$' },
  },
  {
    // oapi-codegen calls the client itself so.
    name: 'no value becomes the name Client',
    breaks: ({ enum: values = [], 'x-enum-varnames': names = values }) =>
      (names as string[]).some((name) => name.toLowerCase() === 'client'),
    broken: { type: 'string', enum: ['client', 'request'] },
  },
];

const document = describeService().openapi as {
  readonly components: Readonly<Record<'schemas' | 'securitySchemes', Readonly<Record<string, Json>>>>;
};

describe('in the OpenAPI document,', () => {
  it.each(RULES)('$name', ({ breaks, broken }) => {
    expect(breaks(broken)).toBe(true);
    expect(placesWhere(document, breaks)).toEqual([]);
  });

  it('no body and no answer has a default, which openapi-typescript makes a member that has to be there', () => {
    const places = placesWhere(document, (schema) => 'default' in schema);
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((place) => !/\/parameters\/\d+\/schema$/.test(place))).toEqual([]);
  });

  it('ogen, which makes a type of each schema and each credential, finds no name twice', () => {
    const { schemas, securitySchemes } = document.components;
    const credentials = Object.keys(securitySchemes).map((name) => name.toLowerCase());
    const types = Object.entries(schemas).map(([name, schema]) => schema['x-ogen-name'] ?? name);
    const names = [...credentials, ...types].map((name) => String(name).toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  });
});

/** The pointers of the schemas in a part of the document that break a rule. Examples and the names of members are no schemas. */
function placesWhere(part: unknown, breaks: Rule['breaks'], pointer = '#'): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const isMap = /\/(?:properties|schemas|parameters|headers)$/.test(pointer);
  const own = isMap || Array.isArray(part) || !breaks(part as Json) ? [] : [pointer];
  const inside = Object.entries(part).filter(([name]) => isMap || !['example', 'examples'].includes(name));
  return [...own, ...inside.flatMap(([name, value]) => placesWhere(value, breaks, `${pointer}/${name}`))];
}

function isPortable(pattern: string): boolean {
  if (!/^[\x20-\x7e]*$/.test(pattern) || /\(\?[=!<]|\\[pPkB1-9]|\\u\{|\\u202[89]|\/$/.test(pattern))
    return false;
  const text = 'Orders\u{1f600}';
  return new RegExp(pattern).test(text) === new RegExp(pattern, 'u').test(text);
}
