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

/**
 * Makes a new session: its names for the command, and the `Set-Cookie` header with its secret for the browser.
 *
 * @param secret random by default
 */
export function newSession(
  { entropy, hosts, limits }: Pick<GatewayServices, 'entropy' | 'hosts' | 'limits'>,
  { headersDistinct }: IncomingHeaders,
  secret = secretFrom('session', entropy.bytes(SECRET_BYTES)),
): { opened: OpenedSession; setCookie: string } {
  const setCookie = sessionCookie(hosts, secret, limits.console.sessionMs);
  const browser = browserNameOf(headersDistinct['user-agent']?.[0]);
  return { opened: { sessionDigest: secretDigest(secret), ...(browser !== null && { browser }) }, setCookie };
}

/** Returns the `Set-Cookie` header with a session's secret. @param maxAgeMs lifetime of the session */
export function sessionCookie(hosts: ConsoleHost, secret: string, maxAgeMs: number): string {
  const maxAgeSeconds = Math.floor(maxAgeMs / SECOND_MS);
  return consoleCookie(hosts, { name: sessionCookieName(hosts), value: secret, maxAgeSeconds });
}

/** Sessions that one sign-out ends. A browser has one, or two just after an update of the service. */
const SESSIONS_CARRIED_MAX = 4;

/**
 * Returns the `Set-Cookie` headers that remove every session from the browser. One that stays would sign the browser in with its
 * next request, as another person perhaps.
 */
export function endedSessionCookies(request: IncomingHeaders, hosts: ConsoleHost): string[] {
  const [name, ...others] = sessionCookieNames(hosts);
  return [name, ...others.filter((each) => cookiesNamed(request, each).length > 0)].map((each) =>
    consoleCookie(hosts, { name: each, value: '', maxAgeSeconds: 0 }),
  );
}

/** Returns the secrets of all sessions that a request carries, a bounded number of them. */
export function carriedSessions(request: IncomingHeaders, hosts: ConsoleHost): string[] {
  const secrets = new Set(sessionCookieNames(hosts).flatMap((name) => cookiesNamed(request, name)));
  return [...secrets].filter((secret) => isSecret('session', secret)).slice(0, SESSIONS_CARRIED_MAX);
}

/**
 * The session's secret from the `Cookie` header, or null unless there is exactly one and it is well-formed. A browser that signed in
 * before the port was in the name has the cookie without it.
 */
export function sessionSecret(request: IncomingHeaders, hosts: ConsoleHost): string | null {
  const names = sessionCookieNames(hosts);
  const name = names.find((each) => cookiesNamed(request, each).length > 0) ?? names[0];
  const value = singleCookie(request, name);
  return value !== null && isSecret('session', value) ? value : null;
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

/** The name of the cookie of a session, and the one without the port that earlier releases gave it. */
function sessionCookieNames(hosts: ConsoleHost): readonly [string, ...string[]] {
  const [name, earlier] = [sessionCookieName(hosts), nameFor(hosts, SESSION)];
  return name === earlier ? [name] : [name, earlier];
}

const SESSION = 'svc_session';

function nameFor(hosts: ConsoleHost, name: string): string {
  return `${isSecure(hosts) ? '__Host-' : ''}${name}`;
}

function isSecure(hosts: ConsoleHost): boolean {
  return hosts.console.startsWith('https:');
}
