import { z } from 'zod';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { visitor } from '../audiences.ts';
import type { RouteSubmit } from '../http/route.ts';
import type { GatewayServices } from '../http/services.ts';
import { writeIdentity } from './identity-blob.ts';
import type { OidcIdentity } from './oidc-client.ts';
import { endedJourneyCookie, readJourney } from './oidc-cookie.ts';
import { toSignInPage } from './oidc-failure.ts';
import { newSession } from './session-cookie.ts';
import { callbackAddress, oidcOf } from './start-oidc.ts';
import { readPerson } from './verified-identity.ts';

/** GET `/v1/console/oidc/callback`: back from the identity provider, with a session. */
export const finishOidcRoute = visitor.get('/oidc/callback', {
  name: 'finishOidc',
  summary: 'Come back from the identity provider',
  // Providers add further parameters; the client library decides which of them count.
  query: z.record(z.string(), z.string()),
  success: { status: 302, description: 'To the page that the sign-in began on' },
  errors: ['unauthorized', 'forbidden', 'not_found'],
  async handle({ query, request, addressKey, services, submit }) {
    const { hosts, secrets, clock } = services;
    const journey = readJourney(request, hosts, secrets, clock.now());
    try {
      if (journey === null) throw NO_JOURNEY;
      const url = new URL(`${callbackAddress(services)}?${new URLSearchParams(query)}`);
      const identity = await oidcOf(services).finish(url, journey);
      const { sessionDigest, setCookie } = newSession(services);
      await signIn({ services, submit }, identity, sessionDigest, addressKey());
      return {
        headers: { Location: `${hosts.console}${journey.returnTo}` },
        cookies: [setCookie, endedJourneyCookie(hosts)],
      };
    } catch (error) {
      return toSignInPage(error, { request, hosts, returnTo: journey?.returnTo ?? null });
    }
  },
});

const NO_JOURNEY = serviceError('unauthorized', {
  at: 'header.Cookie',
  seen: 'no sign-in that was begun in this browser and has not ended',
  expected: 'one; start the sign-in again',
});

/**
 * Signs this identity in. One that is known gets a session; a new one becomes a person, with an organization of its
 * own where sign-up is open, else without any until an invitation is accepted. It is never matched by its e-mail address.
 */
async function signIn(
  { services, submit }: { readonly services: GatewayServices; readonly submit: RouteSubmit },
  identity: OidcIdentity,
  sessionDigest: string,
  address: string,
): Promise<void> {
  const { secrets, entropy, signUp } = services;
  const personKey = keyedDigest(secrets.identity, 'oidc', identity.issuer, identity.subject).toString('hex');
  const digestInput = { personKey };
  const person = await readPerson(services, personKey);
  if (person !== null) {
    const { userId, identityBlob } = person;
    const input = { identityBlob, sessionDigest, mayBelongNowhere: true, address };
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
  const identityBlob = await writeIdentity(services, personKey, {
    email: identity.email,
    passwordVerifier: null,
  });
  const userId = idFrom('user', entropy.bytes(ID_BYTES));
  if (signUp === 'invite') {
    const input = { userId, identityBlob, sessionDigest };
    await submit({ topic: 'people', key: personKey, type: 'enroll', digestInput, input });
    return;
  }
  await submit({
    topic: 'organizations',
    key: idFrom('organization', entropy.bytes(ID_BYTES)),
    type: 'set-up',
    digestInput,
    input: { name: 'My organization', operator: false, personKey, userId, identityBlob, sessionDigest },
  });
}
