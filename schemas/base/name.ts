import { z } from 'zod';

/** The longest name of a workspace or an organization, in characters. */
export const NAME_CHARACTERS_MAX = 80;

/**
 * A name that people give and read: 1 to 80 characters (Unicode code points), not blank, and without control or format
 * characters, which could make one name look like another.
 */
export const nameSchema = z
  .string()
  .refine(isName, `expected 1 to ${NAME_CHARACTERS_MAX} characters, without control characters`)
  // JSON Schema counts code points as well; zod's own bounds count UTF-16 units.
  .meta({ minLength: 1, maxLength: NAME_CHARACTERS_MAX });

function isName(text: string): boolean {
  return (
    text.length <= 2 * NAME_CHARACTERS_MAX &&
    text.isWellFormed() &&
    text.trim() !== '' &&
    [...text].length <= NAME_CHARACTERS_MAX &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
  );
}
