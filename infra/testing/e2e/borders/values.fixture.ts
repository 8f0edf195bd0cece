import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { PICTURE, PORTABLE_PICTURE } from '../../../../schemas/base/name.ts';

/** A JSON Schema, as far as schemas of zod become one. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly uniqueItems?: boolean;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

const ITEMS_MAX = 4;
const TEXT_MAX = 40;
/** The years that a time has with four digits. */
const YEARS = { min: new Date('0000-01-01'), max: new Date('9999-12-31') };

/** Texts that are hard for parsers, databases and object literals. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  '\u202e',
  '😀'.repeat(20),
  "'; --",
  '../../etc/passwd',
  '%00',
  'null',
  '1e400',
  'x'.repeat(5_000),
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.constantFrom<unknown>(null, true, false, -1, 0, 0.5, 1e21, -0, 2 ** 53, Number.MIN_VALUE),
  fc.constantFrom<unknown>([], {}, [[]], [null], { __proto__: null, constructor: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value that the schema takes, most of the time: patterns and formats may ask for more than is known here. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map(fitting));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return fittingObject(schema);
    case 'array': {
      const bounds = {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX)),
      };
      const items = fitting(schema.items ?? {});
      return schema.uniqueItems === true
        ? fc.uniqueArray(items, { ...bounds, comparator: isDeepStrictEqual })
        : fc.array(items, bounds);
    }
    case 'string':
      return fittingText(schema);
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max((schema.exclusiveMinimum ?? -1) + 1, schema.minimum ?? 0),
        max: Math.min(schema.maximum ?? 1_000, Number.MAX_SAFE_INTEGER),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function fittingObject({ properties = {}, required = [], dependentRequired = {} }: JsonSchema) {
  const members = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fitting(each)]));
  const needs = Object.entries(dependentRequired);
  return fc
    .record(members, { requiredKeys: [...required] })
    .filter((value) =>
      needs.every(
        ([name, others]) =>
          !Object.hasOwn(value, name) || others.every((other) => Object.hasOwn(value, other)),
      ),
    );
}

function fittingText({ format, pattern, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, ...YEARS }).map((date) => date.toISOString());
  if (pattern === undefined) {
    const drawn = Math.max(minLength, Math.min(maxLength ?? TEXT_MAX, TEXT_MAX));
    return fc.string({ unit: 'binary', minLength, maxLength: drawn });
  }
  // JSON Schema counts code points.
  const isLongEnough = (text: string) => [...text].length >= minLength;
  const isShortEnough = (text: string) => maxLength === undefined || [...text].length <= maxLength;
  const size = minLength > TEXT_MAX / 4 ? 'medium' : 'small';
  return (
    fc
      // A set that excludes is drawn from ASCII, of which this one has nothing.
      .stringMatching(new RegExp(pattern.replaceAll(PORTABLE_PICTURE, PICTURE), 'u'), { size })
      .filter((text) => isLongEnough(text) && isShortEnough(text))
  );
}

/** A value that the schema takes with something wrong somewhere in it, or anything at all. */
export function nearly(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: spoilt(fitting(schema)) },
    { weight: 2, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: hostile },
  );
}

/** Replaces, removes or adds one member, somewhere. */
function spoilt(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }), fc.nat(2), hostile)
    .map(([whole, path, kind, wrong]) => spoil(structuredClone(whole), path, kind, wrong));
}

function spoil(
  value: unknown,
  [step = 0, ...rest]: readonly number[],
  kind: number,
  wrong: unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return wrong;
  const target = value as Record<string, unknown>;
  const names = Object.keys(target);
  if (names.length === 0) return wrong;
  const name = names[step % names.length] as string;
  if (rest.length > 0 && typeof target[name] === 'object') {
    target[name] = spoil(target[name], rest, kind, wrong);
  } else if (kind === 0) target[name] = wrong;
  else if (kind === 1) delete target[name];
  else Object.defineProperty(target, '__proto__x', { value: wrong, enumerable: true });
  return value;
}
