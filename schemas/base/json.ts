import { z } from 'zod';

/** Any JSON value. Numbers are finite: `JSON.parse` never yields another. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/**
 * A JSON object, the form of every stored document, command input and answer. A member that is `undefined` counts as
 * absent, and no serialised text contains it.
 */
export type JsonObject = { [key: string]: JsonValue | undefined };

export const jsonObjectSchema = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;

/**
 * Serialises a JSON value to one canonical text, after RFC 8785 (JCS): no white space, object members sorted by
 * UTF-16 code units, numbers and strings as ECMAScript writes them. Members whose value is `undefined` are left out.
 *
 * Two equal values give byte-equal texts, so digests over it can be recomputed in any language.
 *
 * @throws {TypeError} for anything that is not JSON: a number that is not finite, a function, a lone surrogate.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('a number in canonical JSON is finite');
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return canonicalArray(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is not JSON`);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) members.push(`${canonicalString(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

function canonicalArray(values: readonly unknown[]): string {
  // Of plain values JCS and ECMAScript write the same, and one call for all of them takes a fraction of the time.
  return values.every(isPlain) ? JSON.stringify(values) : `[${values.map(canonicalJson).join(',')}]`;
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value === 'boolean' || value === null || Number.isFinite(value);
}

function canonicalString(text: string): string {
  // JCS forbids lone surrogates: two different ones would be the same bytes in UTF-8.
  if (!text.isWellFormed()) throw new TypeError('a string in canonical JSON is well-formed Unicode');
  return JSON.stringify(text);
}
