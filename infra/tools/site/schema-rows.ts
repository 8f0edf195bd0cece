// Lists the fields of a JSON Schema as rows of a table, those of inner objects included.
import { type ApiDocument, named, type Schema } from './openapi.ts';

export interface FieldRow {
  /** With the fields around it: `configuration.steps[].key`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
  /** The bounds of the values, in words. */
  readonly bounds: string;
}

/** The depth of fields in fields that a table shows. */
const DEPTH_MAX = 6;
/** The longest pattern that is shown: longer ones say less than an example. */
const PATTERN_MAX = 60;
/** The number of enumerated values that are shown. */
const VALUES_MAX = 24;

/** Returns the fields of a schema in its order, each before those inside it. A schema without fields has none. */
export function fieldRows(schema: Schema, { components }: Pick<ApiDocument, 'components'>): FieldRow[] {
  return rowsOf(schema, '', 0);

  function resolved(each: Schema): Schema {
    if (each.$ref === undefined) return each;
    const target = resolved(named(components.schemas, each.$ref));
    return each.description === undefined ? target : { ...target, description: each.description };
  }

  function rowsOf(each: Schema, path: string, depth: number): FieldRow[] {
    if (depth > DEPTH_MAX) return [];
    const { properties = {}, required = [], items, anyOf, oneOf } = resolved(each);
    const own = Object.entries(properties).flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [rowOf(at, member, required.includes(name)), ...rowsOf(member, at, depth + 1)];
    });
    const listed = items === undefined ? [] : rowsOf(items, `${path}[]`, depth + 1);
    const chosen = (anyOf ?? oneOf ?? []).flatMap((one) => rowsOf(one, path, depth + 1));
    return unique([...own, ...listed, ...chosen]);
  }

  function rowOf(path: string, member: Schema, required: boolean): FieldRow {
    const schema = resolved(member);
    return {
      path,
      type: typeOf(schema),
      required,
      meaning: member.description ?? schema.description ?? '',
      bounds: boundsOf(schema),
    };
  }

  function typeOf(each: Schema): string {
    const { type, items, anyOf, oneOf, enum: values, const: fixed } = resolved(each);
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
    if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}s`;
    return type === undefined ? typeOfValue(fixed ?? values?.[0]) : [type].flat().join(' or ');
  }

  function boundsOf(each: Schema): string {
    const schema = resolved(each);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return choices.map(boundsOf).filter(Boolean).join('; ');
    const ofItems = schema.items === undefined ? '' : boundsOf(schema.items);
    return [...ownBounds(schema), ...(ofItems === '' ? [] : [`each: ${ofItems}`])].join('; ');
  }
}

function typeOfValue(value: unknown): string {
  return value === undefined ? 'any' : typeof value;
}

function ownBounds(schema: Schema): string[] {
  const { const: fixed, enum: values, pattern, format, default: preset } = schema;
  return [
    ...(fixed === undefined || fixed === null ? [] : [code(fixed)]),
    ...(values === undefined ? [] : [listed(values)]),
    ...range(schema.minLength, schema.maxLength, 'characters'),
    ...range(schema.minItems, schema.maxItems, 'entries'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${number(schema.exclusiveMinimum)}`]),
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined || pattern.length > PATTERN_MAX || format !== undefined ? [] : [code(pattern)]),
    ...(preset === undefined ? [] : [`default ${code(preset)}`]),
  ];
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_MAX).map(code).join(', ');
  return values.length > VALUES_MAX ? `${shown} and ${values.length - VALUES_MAX} more` : shown;
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const behind = unit === '' ? '' : ` ${unit}`;
  // Every whole number has this end.
  const end = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (least !== undefined && end !== undefined) {
    return [least === end ? `${number(end)}${behind}` : `${number(least)} to ${number(end)}${behind}`];
  }
  if (end !== undefined) return [`at most ${number(end)}${behind}`];
  return least === undefined || least <= Number.MIN_SAFE_INTEGER
    ? []
    : [`at least ${number(least)}${behind}`];
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** Alternatives of one place often share fields. */
function unique(rows: readonly FieldRow[]): FieldRow[] {
  return rows.filter(({ path }, index) => rows.findIndex((each) => each.path === path) === index);
}
