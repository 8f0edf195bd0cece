import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS } from '../../schemas/base/error-codes.ts';
import { type Refusal, type ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Entropy } from '../../topics/ports/clock.ts';
import type { OverloadMeter, RequestMeter } from '../../topics/ports/meter.ts';
import type { Tracer } from '../../topics/ports/tracer.ts';
import type { GatewayServices, Hosts } from '../services.ts';
import { type PageMethods, pageMethodsOf, preflightHeaders, unroutedCors } from './browsers/cors.ts';
import { securityHeaders } from './browsers/security-headers.ts';
import { type ClientAddresses, createClientAddresses } from './callers/addresses.ts';
import { challengeOf } from './callers/challenge.ts';
import { KnownCallers } from './callers/known-callers.ts';
import { failureAnswer, INTERNAL_ERROR, refusalOf } from './failures.ts';
import { type GuardDependencies, SwitchedOffError } from './guards.ts';
import { singleHeader } from './headers.ts';
import { describeInterface } from './openapi/openapi.ts';
import { answerScrape, isScrape, METRICS_PATH, type Metrics } from './pages/metrics-page.ts';
import { createPages, type PageOptions } from './pages/pages.ts';
import { type Exchange, namesOf, sendAnswer, type WholeAnswer } from './routing/exchange.ts';
import type { Route } from './routing/route.ts';
import { checkRouteTable } from './routing/route-table.ts';
import { allow, createRouter, type Dispatch } from './routing/router.ts';
import { divideAmongHosts, type Site } from './routing/sites.ts';
import { longestRequestMs } from './server/arrival.ts';
import { logRequest, logUnexpected } from './server/logging.ts';
import { Overload } from './server/overload.ts';
import { RequestQueue } from './server/request-queue.ts';
import { closeRequestSpan, openRequestSpan, SERVER_ERRORS } from './server/request-span.ts';
import { takeTargetHost } from './server/request-target.ts';
import { UnservedLog } from './server/unserved-log.ts';
import { type Health, PROBE_PATHS, READINESS, systemRoutes } from './system-routes.ts';

export interface GatewayOptions extends GuardDependencies {
  /** The products' routes; those about the service itself are added. */
  readonly routes: readonly Route[];
  readonly health: Health;
  /** Absent: there are no pages, only the interface. */
  readonly pages?: PageOptions;
  /** Networks in CIDR notation whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Absent: no traces. */
  readonly tracer?: Tracer | undefined;
  /** Absent: requests are not counted. */
  readonly meter?: RequestMeter | undefined;
  /** Absent: requests that an overloaded process turns away are not counted. */
  readonly overloadMeter?: OverloadMeter | undefined;
  /** Absent: there is no page of metrics. */
  readonly metrics?: Metrics | undefined;
  /** Decides which requests are admitted; by default by the event loop of this process. */
  readonly overload?: Overload;
}

export interface Gateway {
  /** Answers one request. Never throws. */
  readonly handle: RequestListener;
  /**
   * The whole answer to what never became a request, because it was not HTTP or did not arrive in time.
   *
   * @param request what was read of it; null unless its headers were
   */
  refuseUnread(refused: Refusal, request: IncomingMessage | null): WholeAnswer;
  /** The maximum time of a whole request, in milliseconds. No body of a route may take longer. */
  readonly requestMs: number;
  /** Every route that is served, those about the service itself included. */
  readonly routes: readonly Route[];
  /** The OpenAPI document of {@link routes}. It is made with the first call. */
  readonly openapi: () => JsonObject;
}

/** Paths of what watches the process, which has to see it while it is overloaded. */
const ALWAYS_SERVED: ReadonlySet<string> = new Set([...PROBE_PATHS, METRICS_PATH]);

interface ServedSite {
  readonly dispatch: Dispatch;
  readonly headers: Readonly<Record<string, string>>;
  readonly pageMethods: PageMethods;
}

/** Returns the site of a request; null: of what never became one. */
type SiteOf = (request: IncomingMessage | null) => ServedSite;

/**
 * Makes the HTTP interface from its routes: the router, the checks, the answers and the OpenAPI document.
 *
 * @throws {Error} when a route's declaration or the configuration contradicts itself.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { logger, services } = options;
  const logs = { logger, unserved: new UnservedLog(logger) };
  const routes = [...options.routes, ...systemRoutes(options.health, () => openapi())];
  checkRouteTable(routes);
  let described: JsonObject | null = null;
  // With the first request: it takes longer than everything else here.
  const openapi = (): JsonObject => {
    described ??= describeInterface(routes, services);
    return described;
  };
  const siteOf = serveSites(routes, options);
  const newRequestId = requestIds(services.entropy);
  const addresses = createClientAddresses({
    trustedProxies: options.trustedProxies,
    secret: services.secrets.identity,
  });
  const callers = new KnownCallers(addresses, services.hosts);
  const answering: Answering = { options, siteOf, logs, newRequestId, addresses, callers };
  const queue = new RequestQueue({
    overload: options.overload ?? new Overload(),
    serve: server(answering),
    refuse: (request, response, refused) => refuseUnserved(answering, request, response, refused),
    holderOf: (request) => callers.holderOf(request),
    isAlwaysServed: ({ url = '' }) => ALWAYS_SERVED.has(url),
    onTurnedAway: (reason) => options.overloadMeter?.turnedAway(reason),
  });
  return {
    handle: (request, response) => queue.take(request, response),
    refuseUnread: (refused, request) => {
      const requestId = newRequestId();
      const answer = failureAnswer(refused, requestId, services.hosts);
      logRequest(logger, {
        requestId,
        route: null,
        method: null,
        status: answer.status,
        durationMs: 0,
        principal: null,
        caller: null,
        workspace: null,
      });
      const { headers, pageMethods } = siteOf(request);
      const cors = request === null ? {} : unroutedCors(request, pageMethods, services);
      return { ...answer, headers: { ...headers, ...cors, 'X-Request-Id': requestId, ...answer.headers } };
    },
    requestMs: longestRequestMs(services.limits.imports),
    routes,
    openapi,
  };
}

/** Everything that answers requests. */
interface Answering {
  readonly options: GatewayOptions;
  readonly siteOf: SiteOf;
  readonly logs: FailureLogs;
  readonly newRequestId: () => string;
  readonly addresses: ClientAddresses;
  readonly callers: KnownCallers;
}

function server(answering: Answering): RequestListener {
  const { options, siteOf, logs, newRequestId, addresses, callers } = answering;
  const { services } = options;
  return (request, response) => {
    const header = singleHeader(request, 'host');
    const site = siteOf(request);
    const requestId = newRequestId();
    const exchange: Exchange = {
      request,
      response,
      requestId,
      span: openRequestSpan(options.tracer, request, requestId),
      headers: site.headers,
      // A function, because most requests are let in without it. A getter here would give every exchange a
      // different shape.
      addressKey: () => addresses.keyOf(request),
      accepted: (principal) => callers.accepted(request, principal),
      allowedMethods: new Set(),
      pageMethods: site.pageMethods,
      cors: {},
      continued: false,
      route: null,
      error: null,
      principal: null,
      caller: null,
      workspace: null,
    };
    noteWhenClosed(options, exchange);
    const fail = (error: unknown) => answerFailure(logs, exchange, error, services);
    if (isHostMissing(header, request.httpVersion)) fail(missingHost(header));
    else if (options.metrics !== undefined && isScrape(request, options.metrics)) {
      answerScrape(exchange, options.metrics).catch(fail);
    } else site.dispatch(exchange, fail);
  };
}

/**
 * Refuses a request before anything of it is read. It costs little: no line of the log and no span, only counts. A preflight is
 * answered, because a page can read no refusal of one.
 */
function refuseUnserved(
  { options, siteOf, logs, newRequestId }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  error: ServiceError,
): void {
  const { services } = options;
  const { code } = error.refusal;
  const requestId = newRequestId();
  const { headers, pageMethods } = siteOf(request);
  const cors = unroutedCors(request, pageMethods, services);
  const exchange = { request, response, requestId, headers, cors, continued: false };
  const preflight = preflightHeaders(request, pageMethods, services);
  if (preflight !== null) {
    sendAnswer(exchange, { status: 204, headers: preflight });
    options.meter?.answered({ route: null, status: 204, code: null, ms: 0 });
    return;
  }
  const answer = failureAnswer(error.refusal, requestId, services.hosts);
  sendAnswer(exchange, answer);
  logs.unserved.add(error);
  options.meter?.answered({ route: null, status: answer.status, code, ms: 0 });
}

/** The number of request ids that are made of one draw: each draw of randomness is a system call. */
const REQUEST_IDS_A_DRAW = 128;

function requestIds(entropy: Entropy): () => string {
  let drawn: Uint8Array = new Uint8Array();
  return () => {
    if (drawn.length === 0) drawn = entropy.bytes(REQUEST_ID_BYTES * REQUEST_IDS_A_DRAW);
    const id = requestIdFrom(drawn);
    drawn = drawn.subarray(REQUEST_ID_BYTES);
    return id;
  };
}

function serveSites(routes: readonly Route[], options: GatewayOptions): SiteOf {
  const { hosts } = options.services;
  const { byHost, otherwise } = divideAmongHosts(routes, hosts);
  const pagesOf = options.pages === undefined ? () => () => null : createPages(routes, hosts, options.pages);
  const serve = (site: Site): ServedSite => ({
    dispatch: createRouter(site.routes, options, pagesOf(site)),
    headers: securityHeaders(site.secure),
    pageMethods: pageMethodsOf(site.routes),
  });
  const served = new Map([...byHost].map(([host, site]) => [host, serve(site)]));
  const others = serve(otherwise);
  return (request) => {
    if (request === null) return others;
    const host = takeTargetHost(request) ?? singleHeader(request, 'host');
    return served.get(host?.toLowerCase() ?? '') ?? others;
  };
}

/** HTTP/1.1 asks for exactly one `Host` (RFC 9112, 3.2); with two, a proxy may have read the other one. */
function isHostMissing(host: string | null, httpVersion: string): boolean {
  return host === 'repeated' || (host === null && httpVersion !== '1.0');
}

function missingHost(header: string | null): ServiceError {
  return serviceError('bad_request', {
    at: 'header.Host',
    seen: `${header === null ? 'none' : 'more than one'}`,
    expected: 'exactly one',
  });
}

interface FailureLogs {
  readonly logger: Logger;
  readonly unserved: UnservedLog;
}

/** Turns whatever was thrown into the error envelope. A process that is not ready says so only to probes. */
function answerFailure(
  { logger, unserved }: FailureLogs,
  exchange: Exchange,
  error: unknown,
  services: GatewayServices,
): void {
  const { hosts } = services;
  const refused = refusalOf(error);
  const isWanted = error instanceof SwitchedOffError || exchange.route?.name === READINESS;
  if (refused !== null && ERRORS[refused.code].status >= SERVER_ERRORS && !isWanted) unserved.add(error);
  // A caller that goes away in the middle of its body is no fault of the service.
  if (refused === null && !exchange.response.destroyed) {
    logUnexpected(logger, namesOf(exchange), error);
  }
  const answer = failureAnswer(refused ?? INTERNAL_ERROR, exchange.requestId, hosts);
  exchange.error = (refused ?? INTERNAL_ERROR).code;
  if (exchange.route === null) {
    exchange.cors = unroutedCors(exchange.request, exchange.pageMethods, services);
  }
  const headers = { ...answer.headers, ...hints(exchange, answer.status, hosts) };
  sendAnswer(exchange, { ...answer, headers });
}

/** Headers that HTTP asks for beside a status. */
function hints(exchange: Exchange, status: number, hosts: Hosts): Record<string, string> {
  const { route, request, allowedMethods } = exchange;
  if (status === 405) return { Allow: allow(allowedMethods) };
  const challenge = status === 401 && route !== null ? challengeOf(route, request, hosts) : null;
  return challenge === null ? {} : { 'WWW-Authenticate': challenge };
}

/** Ends the span, counts the request and logs it once its answer is sent or its caller has gone away. */
function noteWhenClosed({ logger, meter }: GatewayOptions, exchange: Exchange): void {
  const startedAt = performance.now();
  exchange.response.once('close', () => {
    const { route, error: code } = exchange;
    const status = exchange.response.headersSent ? exchange.response.statusCode : null;
    const ms = performance.now() - startedAt;
    closeRequestSpan(exchange);
    meter?.answered({ route, status, code, ms });
    logRequest(logger, {
      ...namesOf(exchange),
      method: exchange.request.method ?? null,
      status,
      durationMs: Math.round(ms),
      principal: exchange.principal,
      caller: exchange.caller,
      workspace: exchange.workspace,
    });
  });
}
