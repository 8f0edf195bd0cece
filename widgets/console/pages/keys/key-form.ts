/** The characters after the prefix of a key. */
const CHARACTERS = 32;

const PREFIX = 'svc_limiter_';

/** The result of looking at a pasted key. `mode` and `last4` are there if the form is right. */
export type KeyForm =
  | { readonly isRight: true; readonly mode: 'test' | 'live'; readonly last4: string }
  | { readonly isRight: false; readonly fault: string };

/** Checks the form of a key: prefix, mode, alphabet, length. Only the service knows if a key of that form exists. */
export function checkKeyForm(text: string): KeyForm {
  const fault = faultAround(text) ?? faultInPrefix(text);
  if (fault !== null) return { isRight: false, fault };
  const mode = text.startsWith(`${PREFIX}live_`) ? 'live' : 'test';
  const body = text.slice(`${PREFIX}${mode}_`.length);
  const inBody = faultInBody(body, mode);
  return inBody === null ? { isRight: true, mode, last4: body.slice(-4) } : { isRight: false, fault: inBody };
}

function faultAround(text: string): string | null {
  if (text !== text.trim()) return 'There is a space or a line break around the key. Store it without them.';
  if (/^Bearer\b/i.test(text)) return 'This begins with “Bearer”. The key is only what comes after it.';
  if (/^["'`]|["'`]$/.test(text)) return 'There are quotation marks around the key. They are not part of it.';
  if (text.includes('…')) {
    return 'This is the short form of the list. The whole key was shown once, when it was created.';
  }
  return null;
}

function faultInPrefix(text: string): string | null {
  if (/^svc_limiter_(test|live)_/.test(text)) return null;
  if (/^svc_limiter_(test|live)/i.test(text) || /^svc_limiter/i.test(text)) {
    return `The mode is missing or misspelled. A key begins with ${PREFIX}test_ or ${PREFIX}live_.`;
  }
  if (/^svc_/.test(text)) {
    return `This is another kind of secret. A rate limiter key begins with ${PREFIX}test_ or ${PREFIX}live_.`;
  }
  return `The beginning is missing or belongs to something else. A key begins with ${PREFIX}test_ or ${PREFIX}live_.`;
}

function faultInBody(body: string, mode: string): string | null {
  const characters = Array.from(body);
  const at = characters.findIndex((character) => !/^[0-9A-Za-z]$/.test(character));
  const wrong = characters[at];
  if (wrong !== undefined) {
    return `Character ${at + 1} after ${mode}_ is ${nameOf(wrong)}. A key has only letters and digits there.`;
  }
  const difference = characters.length - CHARACTERS;
  if (difference === 0) return null;
  const seen = `${characters.length} ${characters.length === 1 ? 'character' : 'characters'} after ${mode}_; a key has ${CHARACTERS}.`;
  if (difference > 0) return `${seen} Something was pasted twice or beside it.`;
  return difference === -1
    ? `${seen} One was lost at the end or in between.`
    : `${seen} ${-difference} were lost at the end or in between.`;
}

/** A visible character as it is, others by their code point. */
function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === ' ') return 'a space';
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `“${character}”` : code;
}
