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

/**
 * The headers of the answer to a preflight, besides {@link corsHeaders}. A preflight carries no token, so the answer
 * cannot depend on more.
 */
export function preflightHeaders(
  request: IncomingMessage,
  methods: ReadonlySet<string>,
  services: Admitting,
): Headers {
  const origin = singleHeader(request, 'origin');
  const asked = singleHeader(request, 'access-control-request-method');
  if (methods.size === 0 || asked === null || origin === null) return {};
  if (!isSessionOrigin(origin, services)) return {};
  return {
    'Access-Control-Allow-Methods': [...methods].sort().join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  };
}
