// What a change of a JSON Schema means for those who were promised the schema before it.
import { isDeepStrictEqual } from 'node:util';

/** Schemas of requests must accept everything that they accepted; schemas of answers must not allow anything new. */
export type Direction = 'read' | 'written';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Keywords that describe a value and do not constrain it. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
]);

/** Bounds that let more through the higher they are, and those that do the lower they are. */
const UPPER_BOUNDS: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']);
const LOWER_BOUNDS: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems']);

/** Keywords whose branches a value has to meet one of. */
const ALTERNATIVES = ['anyOf', 'oneOf'] as const;

/**
 * Returns the breaking changes for clients of `before`, as sentences that name the place; empty for a compatible change. It
 * errs to the side of breaking: a keyword that it does not know must not change.
 */
export function breaches(before: Json, after: Json, direction: Direction, place: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  // For what is written the roles are the other way round: the new schema must fit into the old one.
  const [narrow, wide] = direction === 'read' ? [before, after] : [after, before];
  return violations(narrow, wide, place);
}

/** The schema as a reader applies it that passes over unknown members (infra/docs/decisions/0029-unknown-members.md). */
export function readLoosely(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(readLoosely);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => key !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, readLoosely(value)]));
}

/** Returns the places at which the schema `wide` could refuse a value that the schema `narrow` accepts. */
function violations(narrow: Json, wide: Json, place: string): string[] {
  if (isDeepStrictEqual(narrow, wide) || isAnything(wide)) return [];
  if (!isObject(narrow) || !isObject(wide)) return [`${place}: another schema`];
  const alternatives = alternativesOf(narrow) ?? alternativesOf(wide);
  if (alternatives !== null) return violationsOfAlternatives(narrow, wide, place);
  const keywords = new Set([...Object.keys(narrow), ...Object.keys(wide)]);
  return [...keywords].flatMap((keyword) => violationsOfKeyword(keyword, narrow, wide, place));
}

function violationsOfAlternatives(narrow: JsonObject, wide: JsonObject, place: string): string[] {
  const choices = alternativesOf(wide) ?? [wide];
  return (alternativesOf(narrow) ?? [narrow]).flatMap((branch, index) => {
    const tries = choices.map((choice) => violations(branch, choice, `${place}, alternative ${index + 1}`));
    // The closest alternative tells best what is missing.
    return tries.reduce((best, each) => (each.length < best.length ? each : best));
  });
}

function violationsOfKeyword(keyword: string, narrow: JsonObject, wide: JsonObject, place: string): string[] {
  const [held, asked] = [narrow[keyword], wide[keyword]];
  if (ANNOTATIONS.has(keyword) || isDeepStrictEqual(held, asked)) return [];
  switch (keyword) {
    case 'properties':
      return violationsOfProperties(narrow, wide, place);
    case 'required':
      return listOf(asked)
        .filter((name) => !listOf(held).includes(name))
        .map((name) => `${place}.${String(name)}: required, and not always there`);
    case 'enum':
    case 'const':
      return violationsOfValues(narrow, wide, place);
    case 'items':
    case 'propertyNames':
      return asked === undefined ? [] : violations(held ?? {}, asked, `${place}[]`);
    case 'additionalProperties':
      return violationsOfAdditional(held, asked, place);
    case 'type':
      return asked === undefined || (held === 'integer' && asked === 'number')
        ? []
        : [`${place}: the type ${text(held)}, and not ${text(asked)}`];
    default:
      return violationsOfBound(keyword, held, asked, place);
  }
}

function violationsOfProperties(narrow: JsonObject, wide: JsonObject, place: string): string[] {
  const [held, asked] = [objectOf(narrow['properties']), objectOf(wide['properties'])];
  return Object.entries(held).flatMap(([name, schema]) => {
    const counterpart = asked[name] ?? wide['additionalProperties'] ?? {};
    if (counterpart === false) return [`${place}.${name}: not known there`];
    return violations(schema, counterpart, `${place}.${name}`);
  });
}

function violationsOfAdditional(held: Json | undefined, asked: Json | undefined, place: string): string[] {
  if (isAnything(asked ?? {}) || held === false) return [];
  if (asked === false) return [`${place}: further members, which are refused there`];
  return violations(held ?? {}, asked ?? {}, `${place}.*`);
}

function violationsOfValues(narrow: JsonObject, wide: JsonObject, place: string): string[] {
  const asked = valuesOf(wide);
  if (asked === null) return [];
  const unknown = valuesOf(narrow)?.filter(
    (value) => !asked.some((other) => isDeepStrictEqual(value, other)),
  );
  if (unknown === undefined) return [`${place}: any value, where only some are known`];
  return unknown.map((value) => `${place}: the value ${text(value)}, which is not known there`);
}

function violationsOfBound(
  keyword: string,
  held: Json | undefined,
  asked: Json | undefined,
  place: string,
): string[] {
  if (asked === undefined) return [];
  const bounds = typeof held === 'number' && typeof asked === 'number' ? { held, asked } : null;
  if (bounds !== null && UPPER_BOUNDS.has(keyword) && bounds.held <= bounds.asked) return [];
  if (bounds !== null && LOWER_BOUNDS.has(keyword) && bounds.held >= bounds.asked) return [];
  return [`${place}: ${keyword} ${text(held)}, and not ${text(asked)}`];
}

function alternativesOf(schema: Json): readonly Json[] | null {
  if (!isObject(schema)) return null;
  for (const keyword of ALTERNATIVES) if (Array.isArray(schema[keyword])) return schema[keyword];
  return null;
}

function valuesOf(schema: JsonObject): readonly Json[] | null {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}

/** A schema that takes everything. */
function isAnything(schema: Json): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every((key) => ANNOTATIONS.has(key)));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
