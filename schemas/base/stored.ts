import type { z } from 'zod';

/** A member of a stored document that the schema of this release does not know. */
interface UnknownMember {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

type Issue = z.core.$ZodIssue;
type Members = Record<PropertyKey, unknown>;

/**
 * Rounds in which unknown members are removed. A schema mostly reports all of them at once; inside of an alternative it may
 * need one more.
 */
const ROUNDS_MAX = 4;

/**
 * Parses a document of the store, or an answer of a processor, and passes over members that only a newer release knows.
 * Everything else is as strict as the schema (infra/docs/decisions/0029-unknown-members.md).
 *
 * @throws {z.ZodError} for any other fault
 */
export function readStored<Value>(schema: z.ZodType<Value>, document: unknown): Value {
  return parsed(schema, document).value;
}

/**
 * Like {@link readStored}, for a processor that writes the document again: unknown members stay in the value, and with it in
 * what is made of it by spreading.
 *
 * @throws {z.ZodError} for any other fault
 */
export function loadStored<Value>(schema: z.ZodType<Value>, document: unknown): Value {
  const { value, unknown } = parsed(schema, document);
  for (const { path, name } of unknown) {
    const from = memberAt(document, path);
    const to = memberAt(value, path);
    if (from !== null && to !== null) to[name] = from[name];
  }
  return value;
}

function parsed<Value>(schema: z.ZodType<Value>, document: unknown) {
  const unknown: UnknownMember[] = [];
  let known = document;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const result = schema.safeParse(known);
    if (result.success) return { value: result.data, unknown };
    const found = unknownMembers(result.error.issues, []);
    if (found === null) throw result.error;
    known = structuredClone(known);
    for (const { path, name } of found) delete memberAt(known, path)?.[name];
    unknown.push(...found);
  }
  return { value: schema.parse(known), unknown };
}

/** Returns the unknown members that issues are about, or null if an issue is about anything else. */
function unknownMembers(issues: readonly Issue[], at: readonly PropertyKey[]): UnknownMember[] | null {
  const found: UnknownMember[] = [];
  for (const issue of issues) {
    const path = [...at, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      found.push(...issue.keys.map((name) => ({ path, name })));
      continue;
    }
    const written = issue.code === 'invalid_union' ? writtenAlternative(issue.errors, path) : null;
    if (written === null) return null;
    found.push(...written);
  }
  return found;
}

/** Returns the unknown members of the alternative that knows most: that is the one which was written. */
function writtenAlternative(
  alternatives: readonly (readonly Issue[])[],
  path: readonly PropertyKey[],
): UnknownMember[] | null {
  const possible = alternatives.flatMap((issues) => {
    const found = unknownMembers(issues, path);
    return found === null ? [] : [found];
  });
  return possible.sort((left, right) => left.length - right.length)[0] ?? null;
}

function memberAt(value: unknown, path: readonly PropertyKey[]): Members | null {
  let at: unknown = value;
  for (const step of path) at = isObject(at) ? at[step] : null;
  return isObject(at) ? at : null;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
