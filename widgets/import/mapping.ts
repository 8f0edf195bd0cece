import type { Field } from './api.ts';

/** The target of each column of a file by its position; null leaves a column out. */
export type Mapping = readonly (string | null)[];

/** Mappings of this page by schema and header, so that a corrected file needs no second choice. In memory only. */
const remembered = new Map<string, Mapping>();

/** The number of mappings that are remembered; the oldest is dropped. */
const REMEMBERED_MAX = 20;

/** Returns the mapping that was last used for a schema with these headers, else a suggestion. A field can be gone since then. */
export function recall(schemaId: string, headers: readonly string[], fields: readonly Field[]): Mapping {
  const keys = new Set(fields.map(({ key }) => key));
  const last = remembered.get(keyOf(schemaId, headers));
  return last?.map((key) => (key !== null && keys.has(key) ? key : null)) ?? suggest(headers, fields);
}

export function remember(schemaId: string, headers: readonly string[], mapping: Mapping): void {
  remembered.set(keyOf(schemaId, headers), mapping);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

/**
 * Suggests a target for each column: the field with the same name once case, accents and punctuation are gone, then one
 * whose words are among those of the header, or the other way round. Required fields choose first, and a field is
 * suggested once.
 */
export function suggest(headers: readonly string[], fields: readonly Field[]): Mapping {
  const mapping: (string | null)[] = headers.map(() => null);
  const ordered = [...fields].sort((left, right) => Number(right.required) - Number(left.required));
  const taken = new Set<string>();
  for (const match of [isSame, isAmong]) {
    for (const { key } of ordered) {
      if (taken.has(key)) continue;
      const index = headers.findIndex(
        (header, at) => mapping[at] === null && match(wordsOf(header), wordsOf(key)),
      );
      if (index === -1) continue;
      mapping[index] = key;
      taken.add(key);
    }
  }
  return mapping;
}

/** The places of the columns that go to a field. */
export function mappedPlaces(mapping: Mapping): ReadonlySet<number> {
  return new Set(mapping.flatMap((target, at) => (target === null ? [] : [at])));
}

/** The required fields that no column goes to. */
export function missing(mapping: Mapping, fields: readonly Field[]): string[] {
  return fields.filter(({ key, required }) => required && !mapping.includes(key)).map(({ key }) => key);
}

/** A mapping in which a column goes to a target. The column that went there before is left out. */
export function assign(mapping: Mapping, index: number, target: string | null): Mapping {
  return mapping.map((each, at) => (at === index ? target : each === target ? null : each));
}

function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const apart = plain.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return apart.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length > 0 && left.join('') === right.join('');
}

function isAmong(left: readonly string[], right: readonly string[]): boolean {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  return fewer.length > 0 && fewer.every((word) => more.includes(word));
}

/** Writes a mapping for the service. By hand: old libraries give arrays a method toJSON, which JSON.stringify calls. */
export function mappingJson(revision: number, headers: readonly string[], mapping: Mapping): string {
  const columns = mapping.flatMap((target, index) =>
    target === null ? [] : [JSON.stringify({ source: headers[index], target })],
  );
  return `{"version":"svcimport.mapping.v1","revision":${revision},"columns":[${columns.join(',')}]}`;
}

function keyOf(schemaId: string, headers: readonly string[]): string {
  return [schemaId, ...headers].join('\0');
}
