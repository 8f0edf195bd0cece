import { z } from 'zod';
import { PRINCIPALS } from '../../principals.ts';
import { concernsWorkspace, isConsoleRoute, isForPeople } from '../guards.ts';
import { pathParameters } from './path-parameters.ts';
import type { Route } from './route.ts';

/**
 * Checks the declarations against each other and against themselves, so that a slip in one stops the start instead of
 * leaving a check out.
 *
 * @throws {Error} naming the route and the slip.
 */
export function checkRouteTable(routes: readonly Route[]): void {
  const names = new Set<string>();
  const places = new Set<string>();
  const isForPages = new Map<string, boolean>();
  for (const route of routes) {
    const found = MISTAKES.find(({ isMistake }) => isMistake(route));
    if (found !== undefined) throw mistake(route, found.what);
    const path = route.path.replace(/:[^/]+/g, ':');
    const place = `${route.host} ${route.method} ${path}`;
    if (names.has(route.name)) throw mistake(route, 'its name is taken');
    if (places.has(place)) throw mistake(route, `${place} is taken`);
    if (isForPages.get(path) === (route.cors === undefined)) {
      throw mistake(route, `${path} must be for pages with each of its methods, or with none`);
    }
    names.add(route.name);
    places.add(place);
    isForPages.set(path, route.cors !== undefined);
  }
}

/** Statuses whose answer has no body. */
const BODILESS: readonly number[] = [204, 302];

const MISTAKES: readonly { readonly what: string; readonly isMistake: (route: Route) => boolean }[] = [
  {
    what: 'a route that answers directly has no path parameters',
    isMistake: (route) => route.direct !== undefined && pathParameters(route).length > 0,
  },
  {
    what: 'operation names hold letters, digits, dots and dashes',
    isMistake: (route) => !/^[A-Za-z][A-Za-z0-9.-]*$/.test(route.name),
  },
  {
    what: 'the path must be plain segments and :parameters',
    isMistake: (route) => !/^(\/[A-Za-z0-9._-]+|\/:[A-Za-z]+)+$/.test(route.path),
  },
  {
    what: 'the schema of the path parameters must name exactly those of the path',
    isMistake: (route) => memberNames(route.params) !== pathParameters(route).sort().join(),
  },
  {
    what: 'roles must be given exactly where a person of the console calls',
    isMistake: (route) => isForPeople(route) !== (route.roles !== undefined),
  },
  {
    what: 'operator makes sense only where a person of the console calls',
    isMistake: (route) => route.operator === true && !isForPeople(route),
  },
  {
    what: 'whenPaused must be given exactly where a workspace is concerned',
    isMistake: (route) => concernsWorkspace(route) !== (route.whenPaused !== undefined),
  },
  {
    what: 'whenEnded and product make sense only where a workspace is concerned',
    isMistake: (route) =>
      !concernsWorkspace(route) && (route.whenEnded !== undefined || route.product !== undefined),
  },
  {
    what: 'cors must be given exactly where a browser session may stand behind the credential',
    isMistake: (route) => (PRINCIPALS[route.principal].pages === 'never') !== (route.cors === undefined),
  },
  {
    what: 'etag makes sense only for a GET that is answered with JSON',
    isMistake: ({ method, success }) =>
      success.etag === true && (method !== 'GET' || success.schema === undefined),
  },
  { what: 'GET accepts no body', isMistake: (route) => route.method === 'GET' && route.body.kind !== 'none' },
  {
    what: 'the console accepts JSON only',
    isMistake: (route) => isConsoleRoute(route) && route.body.kind === 'stream',
  },
  {
    what: 'a success schema or attachment must be given exactly where there is a body',
    isMistake: ({ success }) =>
      BODILESS.includes(success.status) !==
      (success.schema === undefined && success.attachment === undefined),
  },
];

function memberNames(schema: z.ZodType | undefined): string {
  if (schema === undefined) return '';
  return schema instanceof z.ZodObject ? Object.keys(schema.shape).sort().join() : 'no object';
}

function mistake(route: Route, what: string): Error {
  return new Error(`declaring the route ${route.name}: ${what}`);
}
