import { CHANGE_TEXTS } from '../../schemas/imports/fix/change-texts.ts';
import { LEGACY } from '../../schemas/imports/fix/encodings.ts';

const CHANGES = Object.keys(CHANGE_TEXTS);

/** Returns what is wrong with the name of a change, or null. */
export function changeFault(value: string): string | null {
  return CHANGES.includes(value) ? null : `expected ${CHANGES.join(', ')}`;
}

/** Returns what is wrong with the name of an encoding, or null. */
export function encodingFault(value: string): string | null {
  return LEGACY.some((name) => name === value) ? null : `expected ${LEGACY.join(', ')}`;
}
