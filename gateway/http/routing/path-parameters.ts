import { z } from 'zod';
import { ID_PREFIXES, type IdKind, idSchema, importIdSchema } from '../../../schemas/base/ids.ts';
import { deadLetterIdSchema } from '../../../schemas/operations/dead-letters.ts';
import { sessionIdSchema } from '../../../schemas/people/http.ts';
import type { Route } from './route.ts';

/** The names of a path's parameters. */
type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The parameters of a path by their names. */
export type ParamsOf<Path extends string> = { readonly [Name in NamesIn<Path>]: string };

/** Ids without a prefix. */
const OTHER_IDS: Readonly<Record<string, z.ZodType<string>>> = {
  importId: importIdSchema,
  sessionId: sessionIdSchema,
  deadLetterId: deadLetterIdSchema,
};

/** The names of a path's parameters, in order. */
export function pathParameters({ path }: Pick<Route, 'path'>): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '');
}

/**
 * Returns a path with the schema of its parameters, if it has some. They are ids: `:runId` is the id of a run.
 *
 * @throws {Error} if a parameter names no kind of id
 */
export function pathFacts<Path extends string>(
  path: Path,
): { readonly path: Path; readonly params?: z.ZodType<ParamsOf<Path>> } {
  const names = pathParameters({ path });
  if (names.length === 0) return { path };
  const schema = z.strictObject(Object.fromEntries(names.map((name) => [name, parameterSchema(name)])));
  return { path, params: schema as unknown as z.ZodType<ParamsOf<Path>> };
}

function parameterSchema(name: string): z.ZodType<string> {
  const other = OTHER_IDS[name];
  if (other !== undefined) return other;
  const kind = name.slice(0, -'Id'.length);
  if (!isIdKind(kind)) throw new Error(`declaring the path parameter ${name}: it names no kind of id`);
  return idSchema(kind);
}

function isIdKind(kind: string): kind is IdKind {
  return kind in ID_PREFIXES;
}
