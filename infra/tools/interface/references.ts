import { ANNOTATIONS, isObject, type Json, type JsonObject } from './compatibility.ts';

/**
 * Returns a copy of an OpenAPI document with every `$ref` replaced by what it points to, so that two documents compare by
 * what they mean and not by which parts of them have names. Members beside a `$ref` (JSON Schema 2020-12) are kept:
 * annotations replace those of the target, and constraints apply in addition to it, as `allOf`.
 *
 * @throws {Error} naming a reference that leads out of the document, to nothing, or back to itself.
 */
export function withoutReferences(document: JsonObject): JsonObject {
  return expanded(document, document, []) as JsonObject;
}

function expanded(value: Json, document: JsonObject, open: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => expanded(item, document, open));
  if (!isObject(value)) return value;
  const { $ref: reference, ...beside } = value;
  if (typeof reference !== 'string') return mapMembers(value, (member) => expanded(member, document, open));
  if (open.includes(reference)) throw new Error(`resolving ${reference}: it refers to itself`);
  const target = expanded(targetOf(reference, document), document, [...open, reference]);
  const members = mapMembers(beside, (member) => expanded(member, document, open));
  const isAnnotated = Object.keys(members).every((name) => ANNOTATIONS.has(name));
  return isObject(target) && isAnnotated ? { ...target, ...members } : { allOf: [target, members] };
}

/** The part of the document that a JSON pointer in a URI fragment names (RFC 6901). */
function targetOf(reference: string, document: JsonObject): Json {
  if (!reference.startsWith('#/')) throw new Error(`resolving ${reference}: it leads out of the document`);
  let target: Json | undefined = document;
  for (const step of reference.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
    if (target === undefined) throw new Error(`resolving ${reference}: nothing is there`);
  }
  return target;
}

function mapMembers(object: JsonObject, map: (member: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(member)]));
}
