/** A field of an import schema, as the configuration has it. */
export interface RowField {
  readonly key: string;
  readonly type: 'text' | 'integer' | 'decimal' | 'date' | 'boolean';
  readonly required: boolean;
}

/** The value of a cell. Numbers and dates stay texts, so that no digit is lost. */
export type CellValue = string | boolean | null;

/** The type of the rows of a schema with these fields (`as const`): `delivery<RowOf<typeof fields>>(…)`. */
export type RowOf<Fields extends readonly RowField[]> = {
  readonly [Each in Fields[number] as Each['key']]:
    | (Each['type'] extends 'boolean' ? boolean : string)
    | (Each['required'] extends true ? never : null);
};
