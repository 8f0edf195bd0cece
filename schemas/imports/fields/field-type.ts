import { z } from 'zod';
import { textSchema } from '../../base/text.ts';
import { eachOnce } from '../../base/unique.ts';
import type { CanonicalValue } from '../identity.ts';

/** A cell read as the type of its field: the value, or the error with a sentence about what is allowed. */
export type TypedValue<Code extends string = string> =
  | { readonly kind: 'value'; readonly value: CanonicalValue }
  | { readonly kind: 'error'; readonly code: Code; readonly message: string };

/** The fields of a schema, whatever their types are. */
export interface AnyField {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
}

/** The schema of the fields of one type: an object with the literal `type`. */
type FieldSchema = z.ZodObject<{ key: z.ZodString; required: z.ZodBoolean; type: z.ZodLiteral<string> }>;

/**
 * One type of field: its schema with its texts and an example, its reader and its errors. `registry.ts` lists the types of the
 * service; nothing else names them.
 */
export interface FieldType<Schema extends FieldSchema = FieldSchema, Code extends string = string> {
  readonly name: z.infer<Schema>['type'];
  /** A field of this type in the configuration of a schema. */
  readonly schema: Schema;
  /** Reads a cell that is not empty. Nothing is trimmed, guessed or rounded. */
  read(field: z.infer<Schema>, cell: string): TypedValue<Code>;
  /** The errors that `read` returns, each with its meaning in the reference. */
  readonly errorCode: Readonly<Record<Code, string>>;
  /**
   * The most bytes that the JSON of a value takes in an artifact beyond the escaped bytes of its cell; of an empty cell, the
   * bytes of `null`.
   */
  readonly artifactBound: number;
}

/** Declares a field type with the exact types of its schema and codes. */
export function defineFieldType<Schema extends FieldSchema, const Code extends string>(
  type: FieldType<Schema, Code>,
): FieldType<Schema, Code> {
  return type;
}

export const fieldKeySchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'expected a letter, then up to 63 letters, digits or _');

const NAME_CHARACTERS_MAX = 80;
const DESCRIPTION_CHARACTERS_MAX = 240;
const EXAMPLE_CHARACTERS_MAX = 240;
const ALIASES_MAX = 20;

/** Texts for the person who maps the columns of a file. They change no value. */
const textMembers = {
  label: textSchema({ min: 1, max: NAME_CHARACTERS_MAX })
    .optional()
    .meta({ description: 'The name that people see; the key if absent.', example: 'Order date' }),
  description: textSchema({ max: DESCRIPTION_CHARACTERS_MAX }).optional().meta({
    description: 'A sentence for people about the content.',
    example: 'The day on which the order was placed.',
  }),
  aliases: z
    .array(textSchema({ min: 1, max: NAME_CHARACTERS_MAX }))
    .max(ALIASES_MAX)
    .check(
      eachOnce(
        (alias) => alias,
        (first) => `a name other than aliases[${first}]`,
      ),
    )
    .optional()
    .meta({
      description: 'Other names of such a column in files, in any language.',
      example: ['Bestelldatum', '注文日'],
    }),
  example: textSchema({ min: 1, max: EXAMPLE_CHARACTERS_MAX })
    .optional()
    .meta({ description: 'A cell that the field accepts.', example: '31.01.2026' }),
};

export const commonMembers = {
  key: fieldKeySchema,
  required: z.boolean().describe('True if an empty cell is an error.'),
  ...textMembers,
};

/** The bytes of a JSON string's quotes, or those of `null` for an empty cell. */
export const STRING_ARTIFACT_BOUND = 'null'.length;

export function fieldValue(value: CanonicalValue): TypedValue<never> {
  return { kind: 'value', value };
}

export function fieldError<const Code extends string>(code: Code, message: string): TypedValue<Code> {
  return { kind: 'error', code, message };
}
