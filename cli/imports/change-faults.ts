import { CHANGE_TEXTS } from '../../schemas/imports/fix/change-texts.ts';
import { LEGACY } from '../../schemas/imports/fix/encodings.ts';
import { canSeparate } from '../../schemas/imports/fix/rows.ts';

const CHANGES = Object.keys(CHANGE_TEXTS);

/** Returns what is wrong with the name of a change, or null. */
export function changeFault(value: string): string | null {
  return CHANGES.includes(value) ? null : `expected ${CHANGES.join(', ')}`;
}

/** Lines of one range. More are a mistake. */
const LINES_MAX = 100_000;

/** The lines of a range such as `7` or `7-9`; none if it is no range. */
export function linesIn(range: string): number[] {
  const [, first = '0', last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(range) ?? [];
  const count = Number(first) === 0 ? 0 : Number(last) - Number(first) + 1;
  return count > LINES_MAX ? [] : Array.from({ length: Math.max(0, count) }, (_, at) => Number(first) + at);
}

/** Returns what is wrong with lines, or null. */
export function linesFault(value: string): string | null {
  return linesIn(value).length > 0 ? null : 'expected lines, such as 3,7-9';
}

/** Returns what is wrong with the number of lines of a header, or null. */
export function headerLinesFault(value: string): string | null {
  return /^(?:1?\d|20)$/.test(value) ? null : 'expected a whole number from 0 to 20';
}

/** Returns what is wrong with a sign between fields, or null. */
export function separatorFault(value: string): string | null {
  const isSign = value === 'tab' || canSeparate(value);
  return isSign ? null : 'expected tab, or one sign: no letter, digit, quote or line end';
}

/** Returns what is wrong with the name of an encoding, or null. */
export function encodingFault(value: string): string | null {
  return LEGACY.some((name) => name === value) ? null : `expected ${LEGACY.join(', ')}`;
}
