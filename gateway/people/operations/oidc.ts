import { z } from 'zod';
import { keyedDigest } from '../../../schemas/base/digest.ts';
import { ServiceError, serviceError } from '../../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { ofLength } from '../../../schemas/base/text.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { wireForms } from '../../../schemas/base/wire.ts';
import type { PersonIdentity } from '../../../schemas/people/documents.ts';
import { signInOptionsSchema } from '../../../schemas/people/http.ts';
import { INVITATION_PAGE } from '../../../schemas/people/link-paths.ts';
import { visitor } from '../../audiences.ts';
import { newSession, type OpenedSession } from '../../http/callers/session-cookie.ts';
import type { RouteSubmit } from '../../http/routing/route.ts';
import type { GatewayServices } from '../../services.ts';
import { readIdentity, writeIdentity } from '../identity-blob.ts';
import { signOnCause } from '../oidc-cause.ts';
import type { OidcClient } from '../oidc-client.ts';
import { endedJourneyCookies, JOURNEY_MS, readJourney, startedJourneyCookies } from '../oidc-cookie.ts';
import { NO_JOURNEY } from '../oidc-error.ts';
import { failedSignOn } from '../oidc-failure.ts';
import type { OidcPerson } from '../oidc-person.ts';
import { askedForAccountCookie, askForAccountCookie, asksForAccount } from '../other-account.ts';
import { isSetUp } from '../set-up-code.ts';
import { readPerson } from '../verified-identity.ts';

export const readSignInOptionsRoute = visitor.get('/sign-in', {
  name: 'readSignInOptions',
  summary: 'Read the ways to sign in and to sign up',
  description:
    'Returns what a page may offer to a person who has not signed in: sign-up, single sign-on, and the attempts before a pause.',
  success: { status: 200, schema: signInOptionsSchema, description: 'The ways to sign in and to sign up' },
  async handle({ services: { signUp, oidc, sendsMail: mail, limits, store, secrets } }) {
    const { signInsPerAccountAndAddress: limit, signInWindowMs } = limits.console;
    const windowSeconds = Math.ceil(signInWindowMs / SECOND_MS);
    const attempts = { limit, windowSeconds };
    return {
      body: { signUp, singleSignOn: oidc !== null, mail, isSetUp: await isSetUp(store, secrets), attempts },
    };
  },
});

const RETURN_CHARACTERS_MAX = 512;
const DEFAULT_RETURN = '/agent-workspaces';

/** One slash, then neither a second one nor a backslash or a control character. */
const RETURN_PATH = '^/(?:[^/\\\\\\u0000-\\u001f\\u007f-\\u009f][^\\\\\\u0000-\\u001f\\u007f-\\u009f]*)?$';

/** A longer path, percent-encoded, is left out: a browser keeps no cookie of more than 4 KiB (RFC 6265, section 6.1). */
const RETURN_ENCODED_MAX = 2_048;

/** An origin to parse paths against. */
const MADE_UP_ORIGIN = 'https://console.invalid';

/**
 * A path of the console itself: parsed against a made-up origin, it has to stay there. The path comes out percent-encoded, as
 * a header has to carry it.
 */
const returnPathSchema = z
  .string()
  .check(ofLength({ max: RETURN_CHARACTERS_MAX }))
  .refine(
    (text) =>
      text.isWellFormed() &&
      /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) &&
      new URL(text, MADE_UP_ORIGIN).origin === MADE_UP_ORIGIN,
    'expected a path of the console that starts with one /',
  )
  .meta({ maxLength: RETURN_CHARACTERS_MAX })
  .register(wireForms, { adds: { pattern: RETURN_PATH } })
  .transform((text) => {
    const path = new URL(text, MADE_UP_ORIGIN).href.slice(MADE_UP_ORIGIN.length);
    return path.length > RETURN_ENCODED_MAX ? DEFAULT_RETURN : path;
  });

export const startOidcRoute = visitor.get('/oidc/start', {
  name: 'startOidc',
  summary: 'Sign in with the identity provider',
  description:
    'Redirects to the identity provider. Without a configured provider the answer is 404. With `Accept: text/html` an error redirects to the sign-in page, which names its code.',
  query: z.strictObject({
    return: returnPathSchema.default(DEFAULT_RETURN).meta({
      description: 'The path of the console to open after the sign-in.',
      example: '/agent-workspaces',
    }),
    account: z.literal('other').optional().meta({
      description:
        'The identity provider asks which account to use. It does so as well after a sign-out, and after a person whom the service refused.',
      example: 'other',
    }),
  }),
  success: { status: 302, description: 'To the identity provider' },
  errors: ['not_found'],
  async handle({ query, request, services, warn }) {
    const { hosts, secrets, clock } = services;
    try {
      const { url, journey } = await oidcOf(services).begin({
        redirectUri: callbackAddress(services),
        asksForAccount: query.account === 'other' || asksForAccount(request, hosts),
        returnTo: query.return,
        endsAt: clock.now() + JOURNEY_MS,
      });
      const cookies = startedJourneyCookies(request, hosts, secrets, journey);
      return { headers: { Location: url }, cookies };
    } catch (error) {
      return failedSignOn(error, { request, hosts, warn, returnTo: query.return });
    }
  },
});

/**
 * The client of the configured provider.
 *
 * @throws {ServiceError} `not_found` where none is configured.
 */
function oidcOf({ oidc }: Pick<GatewayServices, 'oidc'>): OidcClient {
  if (oidc === null)
    throw serviceError('not_found', {
      at: 'service.identityProvider',
      seen: 'none',
      expected: 'an identity provider in the settings of the service',
    });
  return oidc;
}

/** The address that the provider redirects to after a sign-in. It has to be registered there. */
function callbackAddress({ hosts }: Pick<GatewayServices, 'hosts'>): string {
  return `${hosts.console}/v1/console/oidc/callback`;
}

export const finishOidcRoute = visitor.get('/oidc/callback', {
  name: 'finishOidc',
  summary: 'Come back from the identity provider',
  description:
    'Receives the answer of the identity provider, signs the person in and redirects to the console. With `Accept: text/html` an error redirects to the sign-in page, which names its code.',
  // Providers add further parameters; the client library decides which of them count.
  query: z.record(z.string(), z.string()),
  success: { status: 302, description: 'To the page that the sign-in began on' },
  errors: ['unauthorized', 'forbidden', 'not_found'],
  async handle({ query, request, addressKey, services, submit, warn }) {
    const { hosts, secrets, clock } = services;
    const journey = readJourney(request, hosts, secrets, { state: query['state'] ?? '', now: clock.now() });
    const ended = journey === null ? [] : endedJourneyCookies(hosts, journey);
    try {
      if (journey === null) throw NO_JOURNEY;
      const url = new URL(`${callbackAddress(services)}?${new URLSearchParams(query)}`);
      const { userinfoError, ...person } = await oidcOf(services).finish(url, journey);
      if (userinfoError !== undefined) warn({ cause: signOnCause(userinfoError) }, 'SignOnWithoutEmail');
      const { opened, setCookie } = newSession(services, request);
      const isInvited = new URL(journey.returnTo, MADE_UP_ORIGIN).pathname === INVITATION_PAGE;
      await signIn({ services, submit }, { ...person, isInvited }, opened, addressKey());
      const location = `${hosts.console}${journey.returnTo}`;
      return {
        headers: { Location: location },
        cookies: [setCookie, ...ended, askedForAccountCookie(hosts)],
      };
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.refusal.code === 'forbidden';
      const cookies = [...ended, ...(isRefused ? [askForAccountCookie(hosts)] : [])];
      return failedSignOn(error, { request, hosts, warn, cookies, returnTo: journey?.returnTo ?? null });
    }
  },
});

/** A person as the provider identifies them. */
interface ArrivingPerson extends OidcPerson {
  /** True if an invitation is waiting for them. */
  readonly isInvited: boolean;
}

/**
 * Signs this identity in. A known one gets a session. A new one becomes a person. A person who belongs to no organization gets one
 * if sign-up is open, except on the way to an invitation. The e-mail address never matches an identity to a person.
 */
async function signIn(
  { services, submit }: { readonly services: GatewayServices; readonly submit: RouteSubmit },
  identity: ArrivingPerson,
  opened: OpenedSession,
  address: string,
): Promise<void> {
  const { secrets, entropy, signUp } = services;
  const personKey = keyedDigest(secrets.identity, 'oidc', identity.issuer, identity.subject).toString('hex');
  const digestInput = { personKey };
  const person = await readPerson(services, personKey);
  const getsOrganization = signUp === 'open' && !identity.isInvited;
  if (person !== null && !(getsOrganization && person.organizationIds.length === 0)) {
    const { userId, identityBlob } = person;
    const renewed = await renewedIdentity(services, { personKey, identityBlob }, identity);
    const input = { identityBlob, ...renewed, ...opened, mayBelongNowhere: true, address };
    const actor = { kind: 'user', id: userId } as const;
    await submit({ topic: 'people', key: personKey, type: 'session-start', digestInput, actor, input });
    return;
  }
  if (signUp === 'off')
    throw serviceError('forbidden', {
      at: 'service.signUp',
      seen: 'a new person while sign-up is off',
      expected: 'a person who is known here',
    });
  // A known person gets a new one too: a refusal removes the identity that its command names.
  const identityBlob = await writeIdentity(services, personKey, keptIdentity(identity));
  const userId = person?.userId ?? idFrom('user', entropy.bytes(ID_BYTES));
  if (!getsOrganization) {
    const input = { userId, identityBlob, ...opened };
    await submit({ topic: 'people', key: personKey, type: 'enroll', digestInput, input });
    return;
  }
  await submit({
    topic: 'organizations',
    key: idFrom('organization', entropy.bytes(ID_BYTES)),
    type: 'set-up',
    digestInput,
    input: { name: 'My organization', operator: false, personKey, userId, identityBlob, ...opened },
  });
}

function keptIdentity({ email, subject }: OidcPerson): PersonIdentity {
  return { email: email ?? '', ...(email === null && { subject }), passwordVerifier: null };
}

/**
 * Writes the identity of a known person again if the provider names another address than before, or if nothing stands for the
 * person yet. A provider that names no address any more takes none away.
 */
async function renewedIdentity(
  services: GatewayServices,
  known: { readonly personKey: string; readonly identityBlob: string },
  person: OidcPerson,
): Promise<{ nextIdentityBlob?: string }> {
  const before = await readIdentity(services, known.personKey, known.identityBlob);
  const next = keptIdentity(person);
  const isSame = before?.email === next.email && before.subject === next.subject;
  const losesAddress = person.email === null && before !== null && before.email !== '';
  if (isSame || losesAddress) return {};
  return { nextIdentityBlob: await writeIdentity(services, known.personKey, next) };
}
