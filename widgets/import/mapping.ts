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
 * Suggests a target for each column: the field with the same name, whatever its case and punctuation, then one that differs in
 * accents, then one whose words are among those of the header, or the other way round. If several fit as well, it suggests none.
 */
export function suggest(headers: readonly string[], fields: readonly Field[]): Mapping {
  const mapping: (string | null)[] = headers.map(() => null);
  for (const match of [isSame, isSimilar, isAmong]) {
    const free = fields.filter(({ key }) => !mapping.includes(key));
    const open = headers.flatMap((_, at) => (mapping[at] === null ? [at] : []));
    for (const { key } of free) {
      const [at, ...others] = open.filter((each) => match(headers[each] ?? '', key));
      if (at === undefined || others.length > 0) continue;
      if (free.filter((each) => match(headers[at] ?? '', each.key)).length === 1) mapping[at] = key;
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

/** Letters of which Unicode makes no letter with an accent. The keys of fields are ASCII. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', ı: 'i' };

function plain(text: string): string {
  const letters = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  return letters.replace(/[ßøđłæœı]/giu, (letter) => PLAIN[letter.toLowerCase()] ?? letter);
}

function wordsOf(name: string): string[] {
  const apart = plain(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return apart.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function isSame(header: string, key: string): boolean {
  const [left, right] = [header, key].map((name) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
  return left === right;
}

/** True without accents, also where a second letter stands for one, as in German addresses. */
function isSimilar(header: string, key: string): boolean {
  const name = wordsOf(key).join('');
  const spelled = header.normalize().replace(/[äöü]/gi, '$&e');
  return [header, spelled].some((spelling) => wordsOf(spelling).join('') === name);
}

function isAmong(header: string, key: string): boolean {
  const [left, right] = [wordsOf(header), wordsOf(key)];
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
