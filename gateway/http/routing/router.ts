import express, { type Request, type RequestHandler, type Response } from 'express';
import { serviceError } from '../../../schemas/base/errors.ts';
import { admit } from '../admission.ts';
import { corsHeaders, preflightHeaders, unroutedCors } from '../browsers/cors.ts';
import { type GuardDependencies, isConsoleRoute, notFound } from '../guards.ts';
import type { Pages } from '../pages/pages.ts';
import { withEtag } from '../records/etag.ts';
import { namedUnreadable } from '../records/readings.ts';
import { recordRead } from '../records/record-read.ts';
import { type Exchange, sendAnswer, type WholeAnswer } from './exchange.ts';
import { pathParameters } from './path-parameters.ts';
import type { Answer, Route } from './route.ts';

/** Answers an exchange, or hands over why it could not. Exactly one of the two happens, and only once. */
export type Dispatch = (exchange: Exchange, fail: (error: unknown) => void) => void;

/** Paths are compared as they are written: `/V1/…` and a trailing slash lead nowhere. */
const EXACT = { caseSensitive: true, strict: true } as const;

/**
 * Makes a router of one host's routes. The pages answer requests that match no route.
 *
 * Express tries its routes one after the other, and there are a hundred. A path consists of plain segments and
 * parameters of one segment each, so only routes with the same number of segments can match. Each number of segments
 * has a separate Express router. A request for exactly the path of a route without parameters needs none of them.
 */
export function createRouter(
  routes: readonly Route[],
  dependencies: GuardDependencies,
  pages: Pages = () => null,
): Dispatch {
  const routers = new Map(
    [...Map.groupBy(routes, ({ path }) => segmentsOf(path))].map(([segments, alike]) => [
      segments,
      expressRouter(alike, dependencies, pages),
    ]),
  );
  const plain = new Map(routes.filter(isPlain).map((route) => [`${route.method} ${route.path}`, route]));
  return (exchange, fail) => {
    const { request, response } = exchange;
    const { method, url = '' } = request;
    const route = plain.get(`${method} ${url}`);
    if (route !== undefined) {
      answer(route, exchange, {}, dependencies).catch(fail);
      return;
    }
    const router = routers.get(segmentsOf(url));
    if (router === undefined) {
      answerUnknown(exchange, pages).catch(fail);
      return;
    }
    // The router reads the address and writes the parameters; of Express's own additions it needs none.
    const own = Object.assign(response as Response, { locals: { exchange } });
    router(request as Request, own, (error?: unknown) => fail(error ?? notFound()));
  };
}

/** Counts the slashes in the path of a request target, which may be a whole address (RFC 9112, section 3.2.2). */
function segmentsOf(target: string): number {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  let segments = 0;
  for (let index = 0; index < path.length && path[index] !== '?'; index += 1) {
    if (path[index] === '/') segments += 1;
  }
  return segments;
}

function expressRouter(
  routes: readonly Route[],
  dependencies: GuardDependencies,
  pages: Pages,
): express.Router {
  const router = express.Router(EXACT);
  const unmatched: RequestHandler = (_request, response) =>
    answerUnmatched(exchangeOf(response), dependencies, pages);
  const [plain, others] = [routes.filter(isPlain), routes.filter((route) => !isPlain(route))];
  for (const [path, alike] of Map.groupBy([...plain, ...others], (route) => route.path)) {
    const place = router.route(path);
    for (const route of alike) {
      place[methodName(route)]((request, response) =>
        answer(route, exchangeOf(response), request.params, dependencies),
      );
    }
    // No route matches the method. The routes that match the path give the allowed methods.
    place.all((_request, response, next) => {
      noteMethods(exchangeOf(response), alike);
      next();
    });
    // A plain path is never a parameter's value, whatever the method.
    if (alike.some(isPlain)) place.all(unmatched);
  }
  router.use(unmatched);
  return router;
}

function isPlain(route: Route): boolean {
  return pathParameters(route).length === 0;
}

function exchangeOf({ locals }: Response): Exchange {
  return locals['exchange'] as Exchange;
}

function noteMethods({ allowedMethods }: Exchange, routes: readonly Route[]): void {
  for (const { method } of routes) {
    allowedMethods.add(method);
    if (method === 'GET') allowedMethods.add('HEAD');
  }
}

async function answer(
  route: Route,
  exchange: Exchange,
  params: Request['params'],
  dependencies: GuardDependencies,
): Promise<void> {
  exchange.route = route;
  if (route.direct !== undefined) {
    sendAnswer(exchange, await route.direct(exchange, dependencies.services));
    return;
  }
  if (route.cors !== undefined) exchange.cors = corsHeaders(exchange.request, dependencies.services);
  const context = await admit(route, exchange, params as Record<string, string>, dependencies);
  const answered = await route.handle(context);
  await recordRead(route, context, answered);
  for (const { id, cause } of answered.unreadable ?? []) context.warn({ err: cause, id }, 'EntryUnreadable');
  const whole = wholeAnswer(route, answered);
  sendAnswer(exchange, route.success.etag === true ? withEtag(exchange.request, whole) : whole);
}

function wholeAnswer(route: Route, answered: Answer): WholeAnswer {
  const { status, attachment, headers, cookies } = answered;
  const isPrivate = route.noStore === true || isConsoleRoute(route);
  return {
    status: status ?? route.success.status,
    headers: { ...(isPrivate ? { 'Cache-Control': 'no-store' } : {}), ...headers },
    body: withUnreadable(answered),
    attachment,
    cookies,
  };
}

/** The body with the entries that cannot be read, if there are any. */
function withUnreadable({ body, unreadable = [] }: Answer): Answer['body'] {
  if (body === undefined || unreadable.length === 0) return body;
  return { ...body, ...namedUnreadable(unreadable) };
}

/** A page, or 404. */
async function answerUnknown(exchange: Exchange, pages: Pages): Promise<void> {
  const page = pages(exchange.request);
  if (page === null) throw notFound();
  sendAnswer(exchange, page);
}

/** A page, 404, 405, or what `OPTIONS` asks for: a browser's preflight, or which methods there are. */
async function answerUnmatched(
  exchange: Exchange,
  { services }: GuardDependencies,
  pages: Pages,
): Promise<void> {
  const { request, allowedMethods, pageMethods } = exchange;
  if (allowedMethods.size === 0) {
    await answerUnknown(exchange, pages);
    return;
  }
  allowedMethods.add('OPTIONS');
  if (request.method !== 'OPTIONS') {
    throw serviceError('method_not_allowed', {
      at: 'request.method',
      seen: `${request.method}`,
      expected: `one of ${allow(allowedMethods)}`,
    });
  }
  exchange.cors = unroutedCors(request, pageMethods, services);
  const headers = { ...preflightHeaders(request, pageMethods, services), Allow: allow(allowedMethods) };
  sendAnswer(exchange, { status: 204, headers });
}

/** The value of an `Allow` header. */
export function allow(methods: ReadonlySet<string>): string {
  return [...methods].sort().join(', ');
}

function methodName(route: Route) {
  const names = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
  return names[route.method];
}
