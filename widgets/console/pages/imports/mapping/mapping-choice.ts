import { suggest } from '../../../../import/columns/suggest.ts';
import type { ImportDetail, ImportField } from '../queries.ts';

/** The chosen source column of each field, by its key; none where the field is not filled. */
export type Choice = Readonly<Record<string, string>>;

type Mapping = NonNullable<ImportDetail['mapping']>;

/** Required fields first: without them no mapping is accepted. */
export function fieldsToMap(fields: readonly ImportField[]): ImportField[] {
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

/**
 * The choice to begin with: the mapping there is, else the columns that the widget would suggest.
 *
 * @param sample the first rows of the file
 */
export function firstChoice(
  fields: readonly ImportField[],
  { headers, mapping }: Pick<ImportDetail, 'headers' | 'mapping'>,
  sample: readonly (readonly string[] | null)[],
): Choice {
  if (mapping !== null) {
    return Object.fromEntries(mapping.columns.map(({ source, target }) => [target, source]));
  }
  const names = headers ?? [];
  const targets = suggest(names, fields, sample);
  const pairs = names.map((name, at) => [targets[at] ?? null, name] as const);
  return Object.fromEntries(pairs.filter(([target]) => target !== null));
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
