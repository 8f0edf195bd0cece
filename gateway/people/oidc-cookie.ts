import { createHmac } from 'node:crypto';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { singleHeader } from '../headers.ts';
import type { IncomingHeaders } from '../route.ts';
import type { Hosts, SecretKeys } from '../services.ts';
import { type OidcJourney, oidcJourneySchema } from './oidc-client.ts';

/** How long somebody may take at the provider. */
const JOURNEY_MS = 10 * 60 * SECOND_MS;

/** The `Set-Cookie` header that keeps a journey in the browser that is on it, sealed so that nobody else can make one. */
export function journeyCookie(hosts: Pick<Hosts, 'console'>, keys: SecretKeys, journey: OidcJourney): string {
  const body = Buffer.from(JSON.stringify(journey)).toString('base64url');
  const value = `${body}.${seal(keys, body)}`;
  const secure = isSecure(hosts) ? '; Secure' : '';
  // `Lax`: the provider's redirect is a navigation from another site, which has to bring the cookie along.
  return `${cookieName(hosts)}=${value}; Path=/; Max-Age=${JOURNEY_MS / SECOND_MS}; HttpOnly; SameSite=Lax${secure}`;
}

/** The journey that a request's cookie holds, or null. */
export function readJourney(
  request: IncomingHeaders,
  hosts: Pick<Hosts, 'console'>,
  keys: SecretKeys,
): OidcJourney | null {
  const start = `${cookieName(hosts)}=`;
  const pairs = (singleHeader(request, 'cookie') ?? '').split(';').map((pair) => pair.trim());
  const [value] = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  const [body = '', sealed = ''] = value?.split('.') ?? [];
  if (!digestsEqual(sealed, seal(keys, body))) return null;
  return oidcJourneySchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
}

function seal({ secret }: SecretKeys, body: string): string {
  return createHmac('sha256', secret).update(`oidc-journey:${body}`).digest('base64url');
}

function cookieName(hosts: Pick<Hosts, 'console'>): string {
  return isSecure(hosts) ? '__Host-svc_oidc' : 'svc_oidc';
}

function isSecure(hosts: Pick<Hosts, 'console'>): boolean {
  return hosts.console.startsWith('https:');
}
