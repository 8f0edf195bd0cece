import { isSecret, SECRET_BYTES, secretDigest, secretFrom } from '../../schemas/base/secrets.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { browserNameOf } from '../../schemas/people/browser-name.ts';
import type { GatewayServices, Hosts } from '../services.ts';
import { singleCookie } from './headers.ts';
import type { IncomingHeaders } from './route.ts';

type ConsoleHost = Pick<Hosts, 'console'>;

/** A new session as the command that opens it names it. */
export interface OpenedSession {
  readonly sessionDigest: string;
  readonly browser?: string;
}

/** Makes a new session: its names for the command, and the `Set-Cookie` header with its secret for the browser. */
export function newSession(
  { entropy, hosts, limits }: Pick<GatewayServices, 'entropy' | 'hosts' | 'limits'>,
  { headersDistinct }: IncomingHeaders,
): { opened: OpenedSession; setCookie: string } {
  const secret = secretFrom('session', entropy.bytes(SECRET_BYTES));
  const setCookie = sessionCookie(hosts, secret, limits.console.sessionMs);
  const browser = browserNameOf(headersDistinct['user-agent']?.[0]);
  return { opened: { sessionDigest: secretDigest(secret), ...(browser !== null && { browser }) }, setCookie };
}

/** Returns the `Set-Cookie` header with a session's secret. @param maxAgeMs lifetime of the session */
export function sessionCookie(hosts: ConsoleHost, secret: string, maxAgeMs: number): string {
  return cookie(hosts, secret, Math.floor(maxAgeMs / SECOND_MS));
}

/** Returns the `Set-Cookie` header that removes the session from the browser. */
export function endedSessionCookie(hosts: ConsoleHost): string {
  return cookie(hosts, '', 0);
}

/** The session's secret from the `Cookie` header, or null unless there is exactly one and it is well-formed. */
export function sessionSecret(request: IncomingHeaders, hosts: ConsoleHost): string | null {
  const value = singleCookie(request, cookieName(hosts));
  return value !== null && isSecret('session', value) ? value : null;
}

/** `HttpOnly` hides the cookie from scripts. `Lax` keeps it out of other sites' requests, except when a person follows a link. */
function cookie(hosts: ConsoleHost, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(hosts) ? '; Secure' : '';
  return `${cookieName(hosts)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The prefix `__Host-` makes browsers refuse the cookie from anywhere but this host, over HTTPS (RFC 6265bis). */
function cookieName(hosts: ConsoleHost): string {
  return isSecure(hosts) ? '__Host-svc_session' : 'svc_session';
}

function isSecure(hosts: ConsoleHost): boolean {
  return hosts.console.startsWith('https:');
}
