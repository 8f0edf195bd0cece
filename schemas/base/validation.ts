import type { z } from 'zod';
import { describeFault, type Fault, ServiceError } from './errors.ts';
import { counted } from './text.ts';

/** The place of a value in a request. Of headers it is one: `header.Idempotency-Key`. A tool has arguments. */
export type InputPlace = 'path' | 'query' | 'body' | 'arguments' | `header.${string}`;

/** The number of faults that one answer names; the rest show up once these are mended. */
const FAULTS_SHOWN_MAX = 5;

/**
 * Parses a part of a request with its schema.
 *
 * @throws {ServiceError} `bad_request`. The message names the fields, the kind of each value and the allowed kinds.
 *   It holds no value, because a value can be a secret or a customer's data.
 */
export function parseInput<Output>(schema: z.ZodType<Output>, value: unknown, place: InputPlace): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badInput(result.error, value, place, membersOf(schema));
}

function badInput(
  error: z.ZodError,
  value: unknown,
  place: InputPlace,
  known: readonly string[],
): ServiceError {
  const issues = firstOfEachPath(error.issues);
  const faults = issues.slice(0, FAULTS_SHOWN_MAX).map((issue) => faultOf(issue, value, place, known));
  const unshown = issues.length - faults.length;
  const message = `${faults.map(describeFault).join('; ')}${unshown > 0 ? `; and ${unshown} more` : ''}.`;
  return new ServiceError({ code: 'bad_request', message });
}

/** One fault is enough for a field: 1.5 where 2 to 5 is allowed is neither whole nor large enough. */
function firstOfEachPath(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const named = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const field = JSON.stringify([issue.code === 'unrecognized_keys', ...issue.path.map(String)]);
    const first = named.get(field);
    if (first === undefined || isSafeRange(first)) named.set(field, issue);
  }
  return [...named.values()];
}

/** True for the range of safe integers, which zod checks before the bounds of a schema. Those are narrower. */
function isSafeRange(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
}

function faultOf(
  issue: z.core.$ZodIssue,
  value: unknown,
  place: InputPlace,
  known: readonly string[],
): Fault {
  if (issue.code === 'unrecognized_keys') {
    // A model may take a header name of a file for the name of an argument. No answer to it holds such a name.
    const shown = place === 'arguments' ? () => UNSHOWN_NAME : shownName;
    const seen = issue.keys.slice(0, FAULTS_SHOWN_MAX).map(shown).join(' and ');
    // The answer names the known arguments, because it does not name the unknown one.
    const isTool = place === 'arguments' && issue.path.length === 0;
    const expected = isTool ? describeKnown(known) : describeAllowed(issue);
    return { at: describePath(issue.path, place), seen, expected };
  }
  // The name of a record's member is itself the caller's data.
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
  const seen = describeSeen(valueAt(value, path));
  return { at: describePath(path, place), seen, expected: describeAllowed(issue) };
}

/** Returns the names of the members that an object schema knows. */
function membersOf(schema: z.ZodType): readonly string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

function describeKnown(names: readonly string[]): string {
  return names.length === 0 ? 'no members' : `only ${names.map((name) => `"${name}"`).join(' and ')}`;
}

/** `body.columns[2].source`. */
function describePath(path: readonly PropertyKey[], place: InputPlace): Fault['at'] {
  const steps = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${shownName(String(step)).replaceAll('"', '')}`,
  );
  return `${place}${steps.join('')}` as Fault['at'];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

/** The kind and size of a value, never the value. */
function describeSeen(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${counted([...value].length, 'character')}`;
  if (typeof value === 'number') return describeNumber(value);
  if (Array.isArray(value)) return `an array of ${counted(value.length, 'item')}`;
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

function describeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'a number with too many digits';
  return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
}

function describeAllowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return (
        ownWords(issue) ??
        `${issue.inclusive === false ? 'more than' : 'at least'} ${sized(issue.minimum, issue.origin)}`
      );
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${sized(issue.maximum, issue.origin)}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return `${oneOf(issue.values)}`;
    case 'invalid_format':
      return ownWords(issue) ?? `${FORMAT_NAMES[issue.format] ?? `the form ${issue.format}`}`;
    case 'custom':
      return ownWords(issue) ?? UNWORDED;
    case 'invalid_union':
      return describeAlternatives(issue);
    case 'invalid_key':
      return `in the name of a member ${describeFirst(issue.issues)}`;
    case 'invalid_element':
      return `in an element ${describeFirst(issue.issues)}`;
    case 'unrecognized_keys':
      return 'only members that are known here';
  }
}

/** No schema of a request may come to this; a test drives each of them. */
const UNWORDED = 'what the OpenAPI document describes';

/**
 * Describes the input that each alternative of a union expects. For alternatives that a member tells apart, it lists
 * the values of that member.
 */
function describeAlternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  if ('options' in issue && Array.isArray(issue.options)) return `${oneOf(issue.options)}`;
  const alternatives = issue.errors.map(describeFirst);
  return alternatives.length === 0 ? UNWORDED : `${[...new Set(alternatives)].join(' or ')}`;
}

function describeFirst([first]: readonly z.core.$ZodIssue[]): string {
  return first === undefined ? UNWORDED : describeAllowed(first);
}

function oneOf(values: readonly unknown[]): string {
  return values.map((allowed) => JSON.stringify(allowed)).join(' or ');
}

/** Begins what a schema says by itself. */
const OWN_WORDS = 'expected ';

/** The schema's own words, if it has any. */
function ownWords(issue: z.core.$ZodIssue): string | null {
  return issue.message.startsWith(OWN_WORDS) ? issue.message.slice(OWN_WORDS.length) : null;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time in UTC',
  date: 'a date as YYYY-MM-DD',
  email: 'an e-mail address',
  url: 'an address',
  uuid: 'a UUID',
};

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' };

function sized(bound: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? String(bound) : counted(Number(bound), unit);
}

const UNSHOWN_NAME = 'a member whose name is not shown';

const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * A member's name as a message may show it. The caller chose it, so only what looks like a field's name is repeated:
 * a secret or a piece of customer data that slipped into the place of a name is not.
 */
export function shownName(name: string): string {
  return PLAIN_NAME.test(name) && !name.startsWith('svc_') ? `"${name}"` : UNSHOWN_NAME;
}
