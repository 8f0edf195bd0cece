import { serviceError } from '../../../schemas/base/errors.ts';
import type { JsonValue } from '../../../schemas/base/json.ts';
import { shownName } from '../../../schemas/base/validation.ts';

/** The maximum depth of objects and arrays. The deepest request of the service needs five levels. */
export const JSON_DEPTH_MAX = 32;

/**
 * Parses JSON text (RFC 8259) under the rules of I-JSON (RFC 7493). Input that two parsers could understand
 * differently is refused: a repeated member name, a lone surrogate, NUL, `__proto__`, and nesting deeper than {@link
 * JSON_DEPTH_MAX}.
 *
 * @throws {ServiceError} `bad_request`; the message never quotes the text
 */
export function parseStrictJson(text: string): JsonValue {
  const value = parseJson(text);
  checkTokens(text);
  return value;
}

/** A text whose items were checked one by one. */
export interface CheckedItems {
  readonly value: JsonValue;
  /** The error of each item that is refused, by its index. */
  readonly faults: ReadonlyMap<number, unknown>;
}

/** Depth of the items of a list that is a member of the whole. */
const ITEM_DEPTH = 2;

/**
 * Parses JSON text like {@link parseStrictJson}. A list that is a member of the whole keeps its other items if one of them is
 * refused.
 *
 * @throws {ServiceError} `bad_request` for a text that is not JSON, and for a fault outside of the items
 */
export function parseStrictItems(text: string): CheckedItems {
  const value = parseJson(text);
  const faults = new Map<number, unknown>();
  try {
    checkTokens(text);
  } catch {
    const { items, rest } = splitItems(text);
    checkTokens(rest);
    for (const [index, item] of items.entries()) {
      try {
        checkTokens(item);
      } catch (error) {
        faults.set(index, error);
      }
    }
  }
  return { value, faults };
}

/** Splits a text that is known to be valid JSON into the items of its lists, and the text around them. */
function splitItems(text: string): { readonly items: readonly string[]; readonly rest: string } {
  const items: string[] = [];
  let rest = '';
  let isInList = false;
  // The beginning of an item, or of the text behind the latest one.
  let from = 0;
  for (const { character, at, depth } of structureOf(text)) {
    if (depth !== ITEM_DEPTH) continue;
    if (character === '[') {
      isInList = true;
      rest += text.slice(from, at + 1);
      from = at + 1;
    } else if (isInList && (character === ',' || character === ']')) {
      items.push(text.slice(from, at));
      isInList = character === ',';
      from = isInList ? at + 1 : at;
    }
  }
  return { items, rest: rest + text.slice(from) };
}

/** The brackets and commas of a text that is known to be valid JSON, each with the depth of what it opens, closes or separates. */
function* structureOf(text: string) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === ',') yield { character, at, depth };
    else if (character === '{' || character === '[') {
      depth += 1;
      yield { character, at, depth };
    } else if (character === '}' || character === ']') {
      yield { character, at, depth };
      depth -= 1;
    }
  }
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    // The engine's message quotes the text; only the position in it is safe to repeat.
    const position = / at position ([0-9]+) \(line [0-9]+ column [0-9]+\)$/.exec(String(cause))?.[1];
    const where = position === undefined ? '' : ` at character ${position}`;
    throw serviceError('bad_request', {
      at: 'body',
      seen: `text that is not valid JSON${where}`,
      expected: 'JSON as RFC 8259 has it',
    });
  }
}

/** Walks the strings and the structure of a text that is known to be valid JSON; the rest needs no second look. */
function checkTokens(text: string): void {
  const open: (Set<string> | 'array')[] = [];
  // True if the next string is a member name, while an object is open.
  let atName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
      case '[':
        if (open.length === JSON_DEPTH_MAX) throw nestedTooDeep();
        open.push(text[at] === '{' ? new Set() : 'array');
        atName = true;
        break;
      case '}':
      case ']':
        open.pop();
        atName = false;
        break;
      case ',':
        atName = true;
        break;
      case '"': {
        const end = endOfString(text, at);
        const characters = checkCharacters(text.slice(at, end));
        const names = open.at(-1);
        if (atName && names instanceof Set) addName(names, characters);
        atName = false;
        at = end - 1;
      }
    }
  }
}

/** Returns the end of the string token that begins at `start`: behind the first quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
}

/** The text of a string token. Only escapes can hide what plain UTF-8 cannot hold. */
function checkCharacters(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const characters = JSON.parse(token) as string;
  if (characters.includes('\0')) {
    throw serviceError('bad_request', {
      at: 'body',
      seen: 'the character U+0000 in a string',
      expected: 'other characters',
    });
  }
  if (!characters.isWellFormed()) {
    throw serviceError('bad_request', {
      at: 'body',
      seen: 'half of a surrogate pair in a string',
      expected: 'whole characters',
    });
  }
  return characters;
}

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') {
    throw serviceError('bad_request', {
      at: 'body',
      seen: 'a member named "__proto__"',
      expected: 'other names',
    });
  }
  if (names.has(name)) {
    throw serviceError('bad_request', {
      at: 'body',
      seen: `${shownName(name)} twice in one object`,
      expected: 'it once',
    });
  }
  names.add(name);
}

function nestedTooDeep() {
  return serviceError('bad_request', {
    at: 'body',
    seen: 'objects and arrays nested too deep',
    expected: `at most ${JSON_DEPTH_MAX} levels`,
  });
}
