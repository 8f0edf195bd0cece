import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { serviceError } from '../../schemas/base/errors.ts';
import { recordRead } from '../audit/record-read.ts';
import { admit } from './admission.ts';
import { type CheckDependencies, isConsoleRoute, notFound } from './checks.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { withEtag } from './etag.ts';
import { type Exchange, sendAnswer, type WholeAnswer } from './exchange.ts';
import type { Pages } from './pages.ts';
import type { Answer, Route } from './route.ts';
import { pathParameters } from './route-table.ts';

/** Answers an exchange, or hands over why it could not. Exactly one of the two happens, and only once. */
export type Dispatch = (exchange: Exchange, fail: (error: unknown) => void) => void;

/** Paths are compared as they are written: `/V1/…` and a trailing slash lead nowhere. */
const EXACT = { caseSensitive: true, strict: true } as const;

/** Gives a request's exchange to whom Express gives the request. */
type WithExchange = (handle: (exchange: Exchange, request: Request) => Promise<void>) => RequestHandler;

/**
 * Makes a router of one host's routes. The pages answer requests that match no route.
 *
 * Express tries its routes one after the other, and there are a hundred. A path consists of plain segments and
 * parameters of one segment each, so only routes with the same number of segments can match. Each number of segments
 * has a separate Express router.
 */
export function createRouter(
  routes: readonly Route[],
  dependencies: CheckDependencies,
  pages: Pages = () => null,
): Dispatch {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const withExchange: WithExchange = (handle) => async (request) => {
    const exchange = exchanges.get(request);
    if (exchange === undefined) throw new Error('answering a request that was not opened');
    await handle(exchange, request);
  };
  const routers = new Map(
    [...Map.groupBy(routes, ({ path }) => segmentsOf(path))].map(([segments, alike]) => [
      segments,
      expressRouter(alike, { dependencies, pages, exchanges, withExchange }),
    ]),
  );
  const direct = new Map(
    routes.flatMap((route) => (route.direct === undefined ? [] : [[route.path, route] as const])),
  );
  return (exchange, fail) => {
    const { url = '' } = exchange.request;
    const route = direct.get(url);
    if (route !== undefined && route.method === exchange.request.method) {
      answer(route, exchange, {}, dependencies).catch(fail);
      return;
    }
    const router = routers.get(segmentsOf(url));
    if (router === undefined) {
      answerUnknown(exchange, pages).catch(fail);
      return;
    }
    exchanges.set(exchange.request, exchange);
    // The router reads the address and writes the parameters; of Express's own additions it needs none.
    router(exchange.request as Request, exchange.response as Response, (error?: unknown) => {
      fail(error ?? notFound());
    });
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

function expressRouter(routes: readonly Route[], registration: Registration): express.Router {
  const { dependencies, pages, withExchange } = registration;
  const router = express.Router(EXACT);
  const unmatched = withExchange((exchange) => answerUnmatched(exchange, dependencies, pages));
  const plain = routes.filter((route) => pathParameters(route).length === 0);
  register(router, plain, registration);
  // A plain path is never a parameter's value, whatever the method.
  for (const path of new Set(plain.map((route) => route.path))) router.all(path, unmatched);
  const others = routes.filter((route) => !plain.includes(route));
  register(router, others, registration);
  router.use(unmatched);
  return router;
}

interface Registration {
  readonly dependencies: CheckDependencies;
  readonly pages: Pages;
  readonly exchanges: WeakMap<IncomingMessage, Exchange>;
  readonly withExchange: WithExchange;
}

function register(
  router: express.Router,
  routes: readonly Route[],
  { dependencies, exchanges, withExchange }: Registration,
): void {
  for (const route of routes) {
    const handler = withExchange((exchange, { params }) => answer(route, exchange, params, dependencies));
    router.route(route.path)[methodName(route)](handler);
  }
  // No route matches the method. The routes that match the path give the allowed methods.
  for (const route of routes) {
    router.all(route.path, (request, _response, next) => {
      const exchange = exchanges.get(request);
      exchange?.allowedMethods.add(route.method);
      if (route.method === 'GET') exchange?.allowedMethods.add('HEAD');
      if (route.cors !== undefined) exchange?.corsMethods.add(route.method);
      next();
    });
  }
}

async function answer(
  route: Route,
  exchange: Exchange,
  params: Request['params'],
  dependencies: CheckDependencies,
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
  const whole = wholeAnswer(route, answered);
  sendAnswer(exchange, route.success.etag === true ? withEtag(exchange.request, whole) : whole);
}

function wholeAnswer(route: Route, answered: Answer): WholeAnswer {
  const { status, body, attachment, headers, cookies } = answered;
  const isPrivate = route.noStore === true || isConsoleRoute(route);
  return {
    status: status ?? route.success.status,
    headers: { ...(isPrivate ? { 'Cache-Control': 'no-store' } : {}), ...headers },
    body,
    attachment,
    cookies,
  };
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
  { services }: CheckDependencies,
  pages: Pages,
): Promise<void> {
  const { request, allowedMethods, corsMethods } = exchange;
  if (allowedMethods.size === 0) {
    await answerUnknown(exchange, pages);
    return;
  }
  if (corsMethods.size > 0) exchange.cors = corsHeaders(request, services);
  allowedMethods.add('OPTIONS');
  if (request.method !== 'OPTIONS') {
    throw serviceError('method_not_allowed', {
      at: 'request.method',
      seen: `${request.method}`,
      expected: `one of ${allow(allowedMethods)}`,
    });
  }
  const headers = { ...preflightHeaders(request, corsMethods, services), Allow: allow(allowedMethods) };
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
