import { DAY_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { consoleCookie, cookieName } from '../http/callers/session-cookie.ts';
import { singleCookie } from '../http/headers.ts';
import type { IncomingHeaders } from '../http/routing/route.ts';
import type { Hosts } from '../services.ts';

type ConsoleHost = Pick<Hosts, 'console'>;

/** The time for which a browser remembers it. Sessions at providers last weeks. */
const REMEMBERED_MS = 30 * DAY_MS;

/**
 * Returns the `Set-Cookie` header after which the next single sign-on asks which account to use. The provider still knows the account
 * of a person who has signed out here, and of a person whom this service refused.
 */
export function askForAccountCookie(hosts: ConsoleHost): string {
  return cookie(hosts, '1', REMEMBERED_MS / SECOND_MS);
}

/** Returns the `Set-Cookie` header that ends it, once a person has signed in. */
export function askedForAccountCookie(hosts: ConsoleHost): string {
  return cookie(hosts, '', 0);
}

/** True if the browser of a request has to be asked for the account. */
export function asksForAccount(request: IncomingHeaders, hosts: ConsoleHost): boolean {
  return singleCookie(request, nameOf(hosts)) === '1';
}

function cookie(hosts: ConsoleHost, value: string, maxAgeSeconds: number): string {
  return consoleCookie(hosts, { name: nameOf(hosts), value, maxAgeSeconds });
}

function nameOf(hosts: ConsoleHost): string {
  return cookieName(hosts, 'svc_other_account');
}
