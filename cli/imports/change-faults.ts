import { CHANGE_TEXTS } from '../../schemas/imports/fix/change-texts.ts';
import { LEGACY } from '../../schemas/imports/fix/encodings.ts';
import { canSeparate } from '../../schemas/imports/fix/rows.ts';

const CHANGES = Object.keys(CHANGE_TEXTS);

/** Returns what is wrong with the name of a change, or null. */
export function changeFault(value: string): string | null {
  return CHANGES.includes(value) ? null : `expected ${CHANGES.join(', ')}`;
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
