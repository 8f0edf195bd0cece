// Who gets past the checks of a route: one request of each caller to each route, none of which changes anything.
import { request as httpRequest } from 'node:http';
import { z } from 'zod';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { PRINCIPALS, type PrincipalKind } from '../../../../gateway/principals.ts';
import type { Headers } from './world.fixture.ts';

/** No route reads it: a request that passes every check of its caller gets 400, and nothing happens. */
const UNKNOWN_QUERY = 'authorization-matrix=1';

/** Marks a request that has passed the checks of the caller. */
export const ADMITTED = 'in';

export type Ids = Readonly<Record<string, string>>;

/** The columns of one state of the world: the headers that a caller of this column sends to a route, or null for none. */
export type Columns = Readonly<Record<string, (route: Route) => Headers | null>>;

/** Returns {@link ADMITTED}, or the status of the refusal. */
export async function decide(url: string, route: Route, ids: Ids, headers: Headers): Promise<string> {
  const response = await fetch(`${url}${pathOf(route, ids)}?${UNKNOWN_QUERY}`, {
    method: route.method,
    redirect: 'manual',
    headers: { ...headers, ...contentTypeOf(route) },
    ...(route.body.kind === 'none' ? {} : { body: '{}' }),
  });
  await response.body?.cancel();
  return response.status === 400 ? ADMITTED : `${response.status}`;
}

/**
 * Sends a request whose ids, besides those of the caller's workspace, are another owner's.
 *
 * @param body one that the route takes; absent where it takes none
 * @returns the status, or `empty` for a list with nothing in it; 404 if each entry of a batch is refused so in its place
 */
export async function findForeign(
  url: string,
  route: Route,
  ids: Ids,
  headers: Headers,
  body: string | undefined,
): Promise<string> {
  // What summaries have to be asked for.
  const query = route.path.endsWith('/summary') ? '?revision=1&cohort=test' : '';
  const response = await fetch(`${url}${pathOf(route, ids)}${query}`, {
    method: route.method,
    headers: { ...headers, ...contentTypeOf(route) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (response.ok && /^\{"\w+":\[\](,"nextCursor":null)?\}$/.test(text)) return 'empty';
  const batch = refusedBatchSchema.safeParse(response.ok ? JSON.parse(text || 'null') : null);
  return batch.success ? '404' : `${response.status}`;
}

const refusedBatchSchema = z.object({
  results: z.array(z.object({ error: z.object({ code: z.literal('not_found') }) })).min(1),
});

/** Returns the status under this host name, without a credential. */
export function statusUnder(host: string, url: string, route: Route, ids: Ids): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `${pathOf(route, ids)}?${UNKNOWN_QUERY}`;
    const headers = { host, ...contentTypeOf(route) };
    httpRequest(new URL(path, url), { method: route.method, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(route.body.kind === 'none' ? undefined : '{}');
  });
}

/** Every kind of caller, at every route: the kinds that a route is not for as well. */
export function byKind(callers: Readonly<Record<PrincipalKind, Headers>>): Columns {
  const kinds = Object.keys(PRINCIPALS) as PrincipalKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, () => callers[kind]]));
}

/** The caller that a route is for, as these headers have it; null where the route is for another kind. */
export function ownKind(callers: Readonly<Partial<Record<PrincipalKind, Headers>>>) {
  return ({ principal }: Route): Headers | null => callers[principal] ?? null;
}

/** A table of texts, its columns aligned. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function pathOf({ path }: Route, ids: Ids): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown');
}

function contentTypeOf({ body }: Route): Headers {
  if (body.kind === 'none') return {};
  return { 'content-type': body.kind === 'stream' ? body.contentType : 'application/json' };
}
