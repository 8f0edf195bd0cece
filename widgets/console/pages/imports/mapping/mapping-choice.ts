import type { ImportDetail, ImportField } from '../queries.ts';

/** The chosen source column of each field, by its key; none where the field is not filled. */
export type Choice = Readonly<Record<string, string>>;

type Mapping = NonNullable<ImportDetail['mapping']>;

/** Required fields first: without them no mapping is accepted. */
export function fieldsToMap(fields: readonly ImportField[]): ImportField[] {
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

/** The choice to begin with: the mapping there is, else columns that are named like a field. */
export function firstChoice(
  fields: readonly ImportField[],
  { headers, mapping }: Pick<ImportDetail, 'headers' | 'mapping'>,
): Choice {
  if (mapping !== null) {
    return Object.fromEntries(mapping.columns.map(({ source, target }) => [target, source]));
  }
  const like = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const pairs = fields.flatMap(({ key }) => {
    const source = headers?.find((header) => like(header) === like(key));
    return source === undefined ? [] : [[key, source] as const];
  });
  return Object.fromEntries(pairs);
}

/** The faults that keep a choice from being a mapping, by field. */
export function choiceFaults(
  fields: readonly ImportField[],
  choice: Choice,
): Readonly<Record<string, string>> {
  const faults: [string, string][] = [];
  for (const { key, required } of fields) {
    const source = choice[key];
    if (source === undefined) {
      if (required) faults.push([key, 'Required: choose a column.']);
      continue;
    }
    const other = fields.find((field) => field.key !== key && choice[field.key] === source);
    if (other !== undefined)
      faults.push([key, `This column fills ${other.key} too. One column fills one field.`]);
  }
  return Object.fromEntries(faults);
}

/** The mapping of a choice, in the order of the schema. */
export function mappingOf(fields: readonly ImportField[], choice: Choice, revision: number): Mapping {
  const columns = fields.flatMap(({ key }) => {
    const source = choice[key];
    return source === undefined ? [] : [{ source, target: key }];
  });
  const [first, ...others] = columns;
  if (first === undefined) throw new Error('mapping no column');
  return { version: 'svcimport.mapping.v1', revision, columns: [first, ...others] };
}
