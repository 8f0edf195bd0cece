import { z } from 'zod';
import { booleanField } from './boolean.ts';
import { dateField } from './date.ts';
import { decimalField } from './decimal.ts';
import { type AnyField, type FieldType, fieldError, fieldValue, type TypedValue } from './field-type.ts';
import { integerField } from './integer.ts';
import { textField } from './text.ts';

/** A field type with its type parameters erased. A registry passes it only fields that its own schema has parsed. */
export interface AnyFieldType extends Omit<FieldType, 'schema' | 'read'> {
  readonly schema: z.core.$ZodTypeDiscriminable & z.ZodType<AnyField>;
  // A method, so that types with narrower parameters fit.
  read(field: never, cell: string): TypedValue;
}

type Schemas<Types extends readonly AnyFieldType[]> = {
  readonly [Index in keyof Types]: Types[Index]['schema'];
};

/** The error codes of each type of a union. */
type CodeOf<Type> = Type extends { readonly errorCode: infer Codes } ? keyof Codes & string : never;

/** Field types by name. */
export class FieldTypes<const Types extends readonly [AnyFieldType, ...AnyFieldType[]] = AnyTypes> {
  readonly list: Types;
  /** A field of any of the types. */
  readonly schema: z.ZodDiscriminatedUnion<Schemas<Types>, 'type'>;
  /** The errors of all types, in the order of the types. */
  readonly errorCodes: readonly CodeOf<Types[number]>[];
  readonly #byName: ReadonlyMap<string, AnyFieldType>;

  constructor(list: Types) {
    this.list = list;
    const schemas = list.map(({ schema }) => schema) as unknown as Schemas<Types>;
    this.schema = z.discriminatedUnion('type', schemas);
    this.errorCodes = list.flatMap(({ errorCode }) => Object.keys(errorCode) as CodeOf<Types[number]>[]);
    this.#byName = new Map(list.map((type) => [type.name, type]));
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  /** @throws {Error} for a type that is not registered. */
  typeOf({ type }: Pick<AnyField, 'type'>): AnyFieldType {
    const found = this.#byName.get(type);
    if (found === undefined) throw new Error(`reading a field of the unknown type ${type}`);
    return found;
  }

  /** Returns the reader of a field's cells. An empty cell is null, or an error if the field is required. */
  reader(field: AnyField): (cell: string) => TypedValue {
    const type = this.typeOf(field);
    const empty = field.required ? REQUIRED : NULL;
    return (cell) => (cell === '' ? empty : type.read(field as never, cell));
  }

  /** The most bytes that a valid row of these fields takes in an artifact beyond the escaped bytes of its cells. */
  rowBound(fields: readonly AnyField[]): number {
    const values = fields.reduce((sum, field) => sum + this.typeOf(field).artifactBound, 0);
    return BRACKETS_BYTES + (fields.length - 1) * COMMA_BYTES + values;
  }
}

type AnyTypes = readonly [AnyFieldType, ...AnyFieldType[]];

const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
const NULL: TypedValue = fieldValue(null);
const REQUIRED: TypedValue = fieldError('required', 'A value is required.');

/** The field types of the service. Add a new one here. */
export const FIELD_TYPES = new FieldTypes([textField, integerField, decimalField, dateField, booleanField]);
