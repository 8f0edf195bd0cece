import type { Field } from './api.ts';

/** The target of each column of a file by its position; null leaves a column out. */
export type Mapping = readonly (string | null)[];

/** Mappings of this page by schema and header, so that a corrected file needs no second choice. In memory only. */
const remembered = new Map<string, Mapping>();

/** The number of mappings that are remembered; the oldest is dropped. */
const REMEMBERED_MAX = 20;

/** Returns the mapping that was last used for a schema with these headers, or undefined. A field can be gone since then. */
export function recall(
  schemaId: string,
  headers: readonly string[],
  fields: readonly Field[],
): Mapping | undefined {
  const keys = new Set(fields.map(({ key }) => key));
  const last = remembered.get(keyOf(schemaId, headers));
  return last?.map((key) => (key !== null && keys.has(key) ? key : null));
}

export function remember(schemaId: string, headers: readonly string[], mapping: Mapping): void {
  remembered.set(keyOf(schemaId, headers), mapping);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

/** The places of the columns that go to a field. */
export function mappedPlaces(mapping: Mapping): ReadonlySet<number> {
  return new Set(mapping.flatMap((target, at) => (target === null ? [] : [at])));
}

/** The name of a field for people. */
export function nameOf({ key, label = key }: Field): string {
  return label;
}

/** The names of the required fields that no column goes to. */
export function missing(mapping: Mapping, fields: readonly Field[]): string[] {
  return fields.filter(({ key, required }) => required && !mapping.includes(key)).map(nameOf);
}

/** A mapping in which a column goes to a target. The column that went there before is left out. */
export function assign(mapping: Mapping, index: number, target: string | null): Mapping {
  return mapping.map((each, at) => (at === index ? target : each === target ? null : each));
}

/** Writes a list as JSON. By hand: old libraries give arrays a method toJSON, which JSON.stringify calls. */
export function jsonList(items: readonly object[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join()}]`;
}

/** Writes a mapping for the service. */
export function mappingJson(revision: number, headers: readonly string[], mapping: Mapping): string {
  const columns = mapping.flatMap((target, index) =>
    target === null ? [] : [{ source: headers[index], target }],
  );
  return `{"version":"svcimport.mapping.v1","revision":${revision},"columns":${jsonList(columns)}}`;
}

function keyOf(schemaId: string, headers: readonly string[]): string {
  return [schemaId, ...headers].join('\0');
}
