import { z } from 'zod';
import { DIRECTIONS } from '../base/hidden.ts';
import { ofLength } from '../base/text.ts';
import { wireForms } from '../base/wire.ts';

export const MESSAGE_CHARACTERS_MAX = 2_000;
const PATH_CHARACTERS_MAX = 512;

/** Control characters but for tab and line feed, and characters that change the direction of text. */
const STRIPPED = new RegExp(`[\\p{Cc}${DIRECTIONS}]`, 'gu');

/** Line ends of every system, and the separators of lines and paragraphs. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * A visitor's text as it is stored: without control characters and without characters that change the direction of text
 * (Unicode Standard Annex 9), which could make it read as something else. Tabs stay, and every line end is a line feed.
 */
export function cleanText(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(STRIPPED, (character) => (character === '\n' || character === '\t' ? character : ''));
}

/** A text with a character that is neither blank nor stripped. */
const VISIBLE = `^[^\\u0000]*[^\\s\\u0000-\\u001f\\u007f-\\u009f${DIRECTIONS}][^\\u0000]*$`;

/** The message of a submission. It must not be blank once it is cleaned. */
export const messageSchema = z
  .string()
  .check(ofLength({ min: 1, max: MESSAGE_CHARACTERS_MAX }))
  .refine((text) => cleanText(text).trim() !== '', 'expected at least one visible character')
  .meta({ minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX })
  .register(wireForms, { adds: { pattern: VISIBLE } })
  .transform(cleanText);

/** The path of the page: query and fragment are dropped, which may hold data of the visitor. */
export const pagePathSchema = z
  .string()
  .regex(/^[/]/, 'expected a path that begins with /')
  .check(ofLength({ max: PATH_CHARACTERS_MAX }))
  .meta({ maxLength: PATH_CHARACTERS_MAX })
  .transform((path) => cleanText(path).replace(/[?#].*$/s, ''));

export const ratingSchema = z.int().min(1).max(5);

/** The content of a submission: the JSON of its blob. */
export const contentSchema = z.strictObject({
  message: z.string(),
  rating: ratingSchema.nullable(),
  path: z.string().nullable(),
});

export type SubmissionContent = z.infer<typeof contentSchema>;
