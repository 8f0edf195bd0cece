import { z } from 'zod';
import { lengthFault } from './text.ts';
import { wireForms } from './wire.ts';

/** The longest name of a workspace or an organization, in characters. */
export const NAME_CHARACTERS_MAX = 80;

/**
 * Control and format characters and separators of lines up to U+FFFF, as ranges, because not every dialect has their classes. Some
 * generators cannot write a pattern with characters beyond; the service refuses those, too.
 */
const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb';

/** Letters of scripts in which the joiners U+200C and U+200D change what is seen: Arabic to Sinhala, Myanmar, Khmer, Mongolian. */
const JOINED =
  '\\u0620-\\u06d3\\u0700-\\u070d\\u0710-\\u07ff\\u0840-\\u088e\\u08a0-\\u08e1\\u0900-\\u0dff\\u1000-\\u109f\\u1780-\\u17d3\\u1820-\\u18aa';
/** Pictures that U+200D makes one of. Before it, a form or a colour of the skin may stand behind the first. */
export const PICTURE = '[\\u2600-\\u27bf\\u2b00-\\u2bff\\u{1f000}-\\u{1faff}]';
/** Pictures as a pattern without characters beyond U+FFFF can say it: all of those, or half of a surrogate pair, are pictures. */
export const PORTABLE_PICTURE = '[^\\u0000-\\u25ff\\u27c0-\\u2aff\\u2c00-\\ud7ff\\ue000-\\uffff]';
const PORTABLE_JOINTS = joints(PORTABLE_PICTURE);
const ALL_JOINTS = new RegExp(joints(PICTURE), 'gu');

/**
 * A name that people give and read: 1 to 80 characters (Unicode code points), not blank, and without control or format
 * characters, which could make one name look like another.
 */
export const nameSchema = visibleText(`[^${HIDDEN}]`, `[^\\s${HIDDEN}]`, (text) => text);

/** Like {@link nameSchema}, for what users read in their language: joiners stand where a script or a picture needs them. */
export const labelSchema = visibleText(
  `(?:${PORTABLE_JOINTS}|[^${HIDDEN}])`,
  `(?:${PORTABLE_JOINTS}|[^\\s${HIDDEN}])`,
  (text) => text.replace(ALL_JOINTS, ''),
);

/**
 * @param part the pattern of one character, in the syntax that every dialect of regular expressions shares
 * @param visible the pattern of one that is not blank
 * @param withoutJoints leaves out what would be hidden elsewhere
 */
function visibleText(part: string, visible: string, withoutJoints: (text: string) => string) {
  return z
    .string()
    .check((context) => {
      const message = nameFault(context.value, withoutJoints);
      if (message !== null) context.issues.push({ code: 'custom', input: context.value, message });
    })
    .meta({ minLength: 1, maxLength: NAME_CHARACTERS_MAX, example: 'Orders' })
    .register(wireForms, { adds: { pattern: `^${part}*${visible}${part}*$` } });
}

function nameFault(text: string, withoutJoints: (text: string) => string): string | null {
  const length = lengthFault(text, { min: 1, max: NAME_CHARACTERS_MAX });
  if (length !== null) return length;
  const [hidden] = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.exec(withoutJoints(text)) ?? [];
  if (hidden !== undefined) {
    const point = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `expected no control or format characters; it has U+${point}`;
  }
  return text.trim() === '' ? 'expected at least one character that is not blank' : null;
}

function joints(picture: string): string {
  return `[${JOINED}][\\u200c\\u200d]|(?:${picture}|\\ufe0f)(?:\\u200d${picture})+`;
}
