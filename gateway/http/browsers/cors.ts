import type { IncomingMessage } from 'node:http';
import { isHttpsOrigin, loopbackPort } from '../../../schemas/base/origin.ts';
import type { GatewayServices } from '../../services.ts';
import { singleHeader } from '../headers.ts';

/** The time for which a browser may keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 3_600;

/** The headers that a page may send besides the safelisted ones. Tracing tools of a page add `traceparent` to each of its requests. */
const REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, Traceparent';

/** The headers that a page may read besides the safelisted ones. */
const ANSWER_HEADERS = 'ETag, Link, Retry-After, X-Request-Id';

type Headers = Readonly<Record<string, string>>;

/** The headers of an answer that no page may read. */
export const NOT_FOR_PAGES: Headers = { Vary: 'Origin' };

type Admitting = Pick<GatewayServices, 'loopbackPorts' | 'hosts'>;

/**
 * True if a page of this origin can have a browser session: HTTPS, or this machine where the configuration admits it. The console can,
 * wherever it is.
 */
export function isSessionOrigin(origin: string, { loopbackPorts, hosts }: Admitting): boolean {
  if (origin === new URL(hosts.console).origin) return true;
  const port = loopbackPort(origin);
  return port === null ? isHttpsOrigin(origin) : loopbackPorts.includes(port);
}

/**
 * Returns the headers of an answer to a page (Fetch standard, "CORS protocol"): its exact origin, and no cookies.
 * Before the session is known, every origin that can have a session is allowed, so that a page can read why its token
 * is refused. Such an answer holds only the refusal.
 */
export function corsHeaders(request: IncomingMessage, services: Admitting): Headers {
  const origin = singleHeader(request, 'origin');
  if (origin === null || !isSessionOrigin(origin, services)) return NOT_FOR_PAGES;
  return {
    ...NOT_FOR_PAGES,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': ANSWER_HEADERS,
  };
}

/** Returns the methods with which pages may send a request to a target: none unless its path is for pages. */
export type PageMethods = (target: string) => ReadonlySet<string>;

interface MaybeForPages {
  readonly path: string;
  readonly method: string;
  readonly cors?: unknown;
}

const NO_METHODS: ReadonlySet<string> = new Set();

/** Makes {@link PageMethods} of routes. A path is for pages with all of its methods, or with none. */
export function pageMethodsOf(routes: readonly MaybeForPages[]): PageMethods {
  const forPages = routes.filter(({ cors }) => cors !== undefined);
  const paths = [...Map.groupBy(forPages, ({ path }) => path)].map(([path, alike]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '[.]').replaceAll(/:[A-Za-z]+/g, '[^/?]+')}([?]|$)`),
    methods: new Set(alike.map(({ method }) => method)),
  }));
  return (target) => paths.find(({ pattern }) => pattern.test(target))?.methods ?? NO_METHODS;
}

/** Returns {@link corsHeaders} for a request that no route has answered, if its path is for pages. */
export function unroutedCors(
  request: IncomingMessage,
  pageMethods: PageMethods,
  services: Admitting,
): Headers {
  return pageMethods(request.url ?? '').size === 0 ? {} : corsHeaders(request, services);
}

/**
 * The headers of the answer to a preflight, besides {@link corsHeaders}; null if it admits no page, and for any other request. A
 * preflight carries no token, so the answer cannot depend on more.
 */
export function preflightHeaders(
  request: IncomingMessage,
  pageMethods: PageMethods,
  services: Admitting,
): Headers | null {
  const methods = pageMethods(request.url ?? '');
  const origin = singleHeader(request, 'origin');
  const asked = singleHeader(request, 'access-control-request-method');
  if (request.method !== 'OPTIONS' || methods.size === 0 || asked === null || origin === null) return null;
  if (!isSessionOrigin(origin, services)) return null;
  return {
    'Access-Control-Allow-Methods': [...methods].sort().join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  };
}
