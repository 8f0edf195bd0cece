import { HIDDEN } from '../../../../schemas/base/hidden.ts';

/** Controls that a person knows by name. */
const NAMES: Readonly<Record<string, string>> = { '\t': 'TAB', '\n': 'LF', '\r': 'CR' };

const HEX_DIGITS = 4;

/**
 * Makes characters without a shape visible, so that a text from outside can neither hide anything nor turn the text around it:
 * `‹LF›` for a line feed, `‹U+202E›` for a right-to-left override. Pictures of controls would be shorter, but few fonts have them.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `‹${NAMES[character] ?? `U+${code.toString(16).toUpperCase().padStart(HEX_DIGITS, '0')}`}›`;
  });
}

/** A text of several lines, made visible line by line. Its style has to keep the line feeds. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** The first characters of a text, made visible. Never half of a character of two units. */
export function visibleStart(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return visibleText(text);
  const start = text.slice(0, charactersMax);
  const isSplit = /[\uD800-\uDBFF]$/.test(start);
  return `${visibleText(isSplit ? start.slice(0, -1) : start)}…`;
}
