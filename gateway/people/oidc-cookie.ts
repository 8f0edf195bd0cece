import { createHmac } from 'node:crypto';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { consoleCookie, cookieName } from '../http/callers/session-cookie.ts';
import { cookiesOf, singleCookie } from '../http/headers.ts';
import type { IncomingHeaders } from '../http/routing/route.ts';
import type { Hosts, SecretKeys } from '../services.ts';
import { type OidcJourney, oidcJourneySchema } from './oidc-client.ts';

type ConsoleHost = Pick<Hosts, 'console'>;

/** The time that a person may spend at the provider. */
export const JOURNEY_MS = 10 * 60 * SECOND_MS;

/** The journeys that one browser keeps. Each tab in which a sign-in started is one. */
const JOURNEYS_MAX = 8;
/** The characters of their cookies, names included. A request has 16 KiB for all its headers. */
const JOURNEY_CHARACTERS_MAX = 6 * 1_024;
/** The characters of the state that name a cookie: enough to tell journeys apart. */
const NAME_CHARACTERS = 16;

/** A cookie that can be a journey's. */
interface JourneyCookie {
  readonly name: string;
  readonly characters: number;
  /** Null for a value that no process of this service sealed, and for a journey that has ended. */
  readonly journey: OidcJourney | null;
}

/**
 * Returns the `Set-Cookie` headers of a journey that starts, sealed so that only this service can make one. Each journey has a
 * separate cookie, so that several tabs can sign in. Beyond the bounds the oldest journeys end.
 */
export function startedJourneyCookies(
  request: IncomingHeaders,
  hosts: ConsoleHost,
  keys: SecretKeys,
  journey: OidcJourney,
): string[] {
  const name = nameOf(hosts, journey.state);
  const value = sealed(keys, journey);
  const startedAt = journey.endsAt - JOURNEY_MS;
  const kept = journeyCookies(request, hosts, keys, startedAt)
    .filter((each) => each.name !== name)
    .toSorted((one, other) => (other.journey?.endsAt ?? 0) - (one.journey?.endsAt ?? 0));
  let characters = name.length + value.length;
  const surplus = kept.filter((each, index) => {
    characters += each.characters;
    return each.journey === null || index >= JOURNEYS_MAX - 1 || characters > JOURNEY_CHARACTERS_MAX;
  });
  return [
    consoleCookie(hosts, { name, value, maxAgeSeconds: JOURNEY_MS / SECOND_MS }),
    ...surplus.map((each) => ended(hosts, each.name)),
  ];
}

/** Returns the `Set-Cookie` headers that take a journey away at its end, and leave all others. */
export function endedJourneyCookies(hosts: ConsoleHost, { state }: Pick<OidcJourney, 'state'>): string[] {
  return [ended(hosts, nameOf(hosts, state))];
}

/**
 * Returns the journey with a state that a request's cookies hold, or null: there is none, another service sealed it, or it has ended
 * by `now`.
 */
export function readJourney(
  request: IncomingHeaders,
  hosts: ConsoleHost,
  keys: SecretKeys,
  { state, now }: { readonly state: string; readonly now: number },
): OidcJourney | null {
  const value = singleCookie(request, nameOf(hosts, state)) ?? singleCookie(request, baseName(hosts));
  const journey = value === null ? null : unsealed(keys, value, now);
  return journey?.state === state ? journey : null;
}

function journeyCookies(
  request: IncomingHeaders,
  hosts: ConsoleHost,
  keys: SecretKeys,
  now: number,
): JourneyCookie[] {
  return cookiesOf(request)
    .filter(([name]) => name.startsWith(`${baseName(hosts)}_`) && name.length === nameLength(hosts))
    .map(([name, value]) => ({
      name,
      characters: name.length + value.length,
      journey: unsealed(keys, value, now),
    }));
}

/** The name itself is that of the release before, which kept one journey. Its cookies are still read. */
function baseName(hosts: ConsoleHost): string {
  return cookieName(hosts, 'svc_oidc');
}

function nameOf(hosts: ConsoleHost, state: string): string {
  return `${baseName(hosts)}_${state.slice(0, NAME_CHARACTERS)}`;
}

/** Names of a service at another port, such as `svc_oidc_8787`, are shorter. */
function nameLength(hosts: ConsoleHost): number {
  return baseName(hosts).length + 1 + NAME_CHARACTERS;
}

function ended(hosts: ConsoleHost, name: string): string {
  return consoleCookie(hosts, { name, value: '', maxAgeSeconds: 0 });
}

function sealed(keys: SecretKeys, journey: OidcJourney): string {
  const body = Buffer.from(JSON.stringify(journey)).toString('base64url');
  return `${body}.${seal(keys, body)}`;
}

function unsealed(keys: SecretKeys, value: string, now: number): OidcJourney | null {
  const [body = '', by = ''] = value.split('.');
  if (!digestsEqual(by, seal(keys, body))) return null;
  const read = oidcJourneySchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  return read.success && now < read.data.endsAt ? read.data : null;
}

function seal({ secret }: SecretKeys, body: string): string {
  return createHmac('sha256', secret).update(`oidc-journey:${body}`).digest('base64url');
}
