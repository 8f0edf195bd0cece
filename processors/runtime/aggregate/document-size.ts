import type { JsonObject, JsonValue } from '../../../schemas/base/json.ts';

/** The counted size of a number, a boolean or null. */
const SCALAR_CHARACTERS = 8;

/** About how many characters a document has as JSON. Allocates nothing, because it runs for every row that is written. */
export function documentSize(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SCALAR_CHARACTERS;
  let size = 0;
  if (Array.isArray(value)) {
    for (const item of value) size += documentSize(item);
    return size;
  }
  for (const key in value) {
    const item = (value as JsonObject)[key];
    size += key.length + (item === undefined ? 0 : documentSize(item));
  }
  return size;
}
