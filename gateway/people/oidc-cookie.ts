import { createHmac } from 'node:crypto';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { cookieName } from '../http/callers/session-cookie.ts';
import { singleCookie } from '../http/headers.ts';
import type { IncomingHeaders } from '../http/routing/route.ts';
import type { Hosts, SecretKeys } from '../services.ts';
import { type OidcJourney, oidcJourneySchema } from './oidc-client.ts';

/** The time that a person may spend at the provider. */
export const JOURNEY_MS = 10 * 60 * SECOND_MS;

/** The `Set-Cookie` header that keeps a journey in its browser, sealed so that only this service can make one. */
export function journeyCookie(hosts: Pick<Hosts, 'console'>, keys: SecretKeys, journey: OidcJourney): string {
  const body = Buffer.from(JSON.stringify(journey)).toString('base64url');
  return cookie(hosts, `${body}.${seal(keys, body)}`, JOURNEY_MS / SECOND_MS);
}

/** The `Set-Cookie` header that takes the journey away at its end. */
export function endedJourneyCookie(hosts: Pick<Hosts, 'console'>): string {
  return cookie(hosts, '', 0);
}

function cookie(hosts: Pick<Hosts, 'console'>, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(hosts) ? '; Secure' : '';
  // `Lax`: the provider's redirect is a navigation from another site, which has to bring the cookie along.
  return `${cookieName(hosts, 'svc_oidc')}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The journey that a request's cookie holds, or null: there is none, another process sealed it, or it has ended by `now`. */
export function readJourney(
  request: IncomingHeaders,
  hosts: Pick<Hosts, 'console'>,
  keys: SecretKeys,
  now: number,
): OidcJourney | null {
  const [body = '', sealed = ''] = singleCookie(request, cookieName(hosts, 'svc_oidc'))?.split('.') ?? [];
  if (!digestsEqual(sealed, seal(keys, body))) return null;
  const read = oidcJourneySchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  // An earlier program sealed journeys without an end.
  return read.success && now < read.data.endsAt ? read.data : null;
}

function seal({ secret }: SecretKeys, body: string): string {
  return createHmac('sha256', secret).update(`oidc-journey:${body}`).digest('base64url');
}

function isSecure(hosts: Pick<Hosts, 'console'>): boolean {
  return hosts.console.startsWith('https:');
}
