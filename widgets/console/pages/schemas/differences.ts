import type { Schemas } from '../../api/interface.ts';
import { fieldNotes } from '../../parts/form/field-name.tsx';
import { typeRules } from '../../parts/form/field-rules.ts';

export type Configuration = Schemas['ImportConfiguration'];
export type Field = Schemas['ImportField'];

/** One difference between two revisions of a schema. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The field, or the name of the schema or its origins. */
  readonly what: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The differences of a revision to the one before it; of the first one, all that it has. */
export function differences(before: Configuration | null, now: Configuration): Difference[] {
  return [
    ...changed('name', before?.name ?? null, now.name),
    ...fieldDifferences(before?.schema.fields ?? [], now.schema.fields),
    ...listDifferences('origin', before?.allowedOrigins ?? [], now.allowedOrigins),
  ];
}

function fieldDifferences(before: readonly Field[], now: readonly Field[]): Difference[] {
  const old = new Map(before.map((field) => [field.key, field]));
  const current = new Map(now.map((field) => [field.key, field]));
  const removed = before.filter(({ key }) => !current.has(key));
  const found = [
    ...removed.map((field) => difference('removed', field.key, fieldText(field), null)),
    ...now.flatMap((field) => {
      const earlier = old.get(field.key);
      if (earlier === undefined) return [difference('added', field.key, null, fieldText(field))];
      return changed(field.key, fieldText(earlier), fieldText(field));
    }),
  ];
  const kept = (fields: readonly Field[], others: ReadonlyMap<string, Field>) =>
    fields.filter(({ key }) => others.has(key)).map(({ key }) => key);
  const [oldOrder, newOrder] = [kept(before, current).join(', '), kept(now, old).join(', ')];
  return [...found, ...changed('order of fields', oldOrder, newOrder)];
}

/** A field in words: `decimal, required, at most 8 digits`, then its texts for people. */
export function fieldText(field: Field): string {
  const { type, required, label } = field;
  const rules = [type, required ? 'required' : 'optional', ...typeRules(field)].join(', ');
  return [rules, ...(label === undefined ? [] : [`Label: ${label}`]), ...fieldNotes(field)].join('. ');
}

function listDifferences(what: string, before: readonly string[], now: readonly string[]): Difference[] {
  return [
    ...before.filter((each) => !now.includes(each)).map((each) => difference('removed', what, each, null)),
    ...now.filter((each) => !before.includes(each)).map((each) => difference('added', what, null, each)),
  ];
}

function changed(what: string, from: string | null, to: string): Difference[] {
  if (from === to) return [];
  return [difference(from === null ? 'added' : 'changed', what, from, to)];
}

function difference(
  kind: Difference['kind'],
  what: string,
  from: string | null,
  to: string | null,
): Difference {
  return { kind, what, from, to };
}
