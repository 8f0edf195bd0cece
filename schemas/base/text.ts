import { z } from 'zod';
import { wireForms } from './wire.ts';

/** The bounds of a text's length in Unicode code points, the unit that people and JSON Schema count. */
export interface TextBounds {
  readonly min?: number;
  readonly max: number;
}

/** Every text but those with U+0000, which no request may hold. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** A text of free characters. Its length counts Unicode code points, as in JSON Schema. */
export function textSchema({ min = 0, max }: TextBounds) {
  return z
    .string()
    .check(ofLength({ min, max }))
    .meta({ ...(min === 0 ? {} : { minLength: min }), maxLength: max })
    .register(wireForms, { adds: { pattern: WITHOUT_NUL } });
}

/** A check that refuses a text with more or fewer code points. */
export function ofLength(bounds: TextBounds): (context: z.core.ParsePayload<string>) => void {
  return ({ value, issues }) => {
    const message = lengthFault(value, bounds);
    if (message !== null) issues.push({ code: 'custom', input: value, message });
  };
}

/** The sentence about a text that is too short or too long, or null. */
export function lengthFault(text: string, { min = 0, max }: TextBounds): string | null {
  if (text.length < min || (text.length < 2 * min && [...text].length < min)) {
    return `expected at least ${counted(min, 'character')}`;
  }
  // A code point takes at most two units, so that only texts between the two bounds have to be counted.
  if (text.length > 2 * max || (text.length > max && [...text].length > max)) {
    return `expected at most ${counted(max, 'character')}`;
  }
  return null;
}

/** A count with its noun, as messages write it: `1 character`, `2 characters`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
