import { isSecret, SECRET_BYTES, secretDigest, secretFrom } from '../../../schemas/base/secrets.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { browserNameOf } from '../../../schemas/people/browser-name.ts';
import type { GatewayServices, Hosts } from '../../services.ts';
import { cookiesNamed, singleCookie } from '../headers.ts';
import type { IncomingHeaders } from '../routing/route.ts';

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

/**
 * The session's secret from the `Cookie` header, or null unless there is exactly one and it is well-formed. A browser that signed in
 * before the port was in the name has the cookie without it.
 */
export function sessionSecret(request: IncomingHeaders, hosts: ConsoleHost): string | null {
  const isNamed = cookiesNamed(request, sessionCookieName(hosts)).length > 0;
  const value = singleCookie(request, isNamed ? sessionCookieName(hosts) : nameFor(hosts, SESSION));
  return value !== null && isSecret('session', value) ? value : null;
}

function cookie(hosts: ConsoleHost, value: string, maxAgeSeconds: number): string {
  return consoleCookie(hosts, { name: sessionCookieName(hosts), value, maxAgeSeconds });
}

/**
 * Returns the `Set-Cookie` header of a cookie of the console. `HttpOnly` hides it from scripts. `Lax` keeps it out of other sites'
 * requests, except when a person follows a link or a redirect.
 */
export function consoleCookie(
  hosts: ConsoleHost,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): string {
  const secure = isSecure(hosts) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Returns the name of a cookie of the console. The prefix `__Host-` makes browsers refuse the cookie from anywhere but this host, over HTTPS
 * (RFC 6265bis). Cookies know no ports, so a port that is not implied is in the name: otherwise the services of one machine would replace
 * each other's sessions.
 */
export function cookieName(hosts: ConsoleHost, name: string): string {
  const { port } = new URL(hosts.console);
  return nameFor(hosts, port === '' ? name : `${name}_${port}`);
}

/** The name of the cookie of a session. */
export function sessionCookieName(hosts: ConsoleHost): string {
  return cookieName(hosts, SESSION);
}

const SESSION = 'svc_session';

function nameFor(hosts: ConsoleHost, name: string): string {
  return `${isSecure(hosts) ? '__Host-' : ''}${name}`;
}

function isSecure(hosts: ConsoleHost): boolean {
  return hosts.console.startsWith('https:');
}
