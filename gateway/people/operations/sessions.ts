import { isoTime } from '../../../schemas/base/time.ts';
import {
  sessionListSchema,
  sessionSchema,
  signInRequestSchema,
  signOutRequestSchema,
  switchSessionRequestSchema,
} from '../../../schemas/people/http.ts';
import { member, visitor } from '../../audiences.ts';
import { carriedSessions, endedSessionCookies, newSession } from '../../http/callers/session-cookie.ts';
import { json } from '../../http/routing/audience.ts';
import { attemptFromOutside } from '../attempts.ts';
import { requireMembership } from '../find-session.ts';
import { askForAccountCookie } from '../other-account.ts';
import { personKeyOf } from '../person-key.ts';
import { sessionAnswer } from '../session-answer.ts';
import { sessionWith } from '../signed-in-person.ts';
import { readPerson, verifiedPerson } from '../verified-identity.ts';

/** The password is verified here; only a session's digest goes into a command. */
export const signInRoute = visitor.post('/sign-in', {
  name: 'signIn',
  summary: 'Sign in with e-mail address and password',
  description:
    'Signs a person in and sets the session cookie. Failed attempts are limited by account and address.',
  body: json(signInRequestSchema),
  success: { status: 200, schema: sessionSchema, description: 'The session; its secret is in the cookie' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
  async handle({ body, request, addressKey, services, submit }) {
    const personKey = personKeyOf(services.secrets, body.email);
    const address = addressKey();
    const person = await attemptFromOutside(services, { personKey, addressKey: address }, () =>
      verifiedPerson(services, personKey, body.password, address),
    );
    const { userId, identityBlob } = person;
    const { opened, setCookie } = newSession(services, request);
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-start',
      digestInput: { personKey },
      actor: { kind: 'user', id: userId },
      input: { identityBlob, ...opened, mayBelongNowhere: false, address },
    });
    return {
      body: await sessionAnswer(services, personKey, opened.sessionDigest),
      headers: { 'Set-Cookie': setCookie },
    };
  },
});

/** It also takes the cookie of an ended session away, so it needs no session. A browser may carry several sessions. */
export const signOutRoute = visitor.post('/sign-out', {
  name: 'signOut',
  summary: 'End the session',
  description: 'Ends the session and removes the cookie. It needs no valid session.',
  body: json(signOutRequestSchema),
  success: { status: 204, description: 'The session has ended, and the cookie is gone' },
  async handle({ request, services, submit }) {
    for (const secret of carriedSessions(request, services.hosts)) {
      const found = await sessionWith(secret, services);
      if (found === null) continue;
      const { personKey, sessionDigest, person, session } = found;
      const { organizationId } = session;
      await submit({
        topic: 'people',
        key: personKey,
        type: 'session-end',
        digestInput: {},
        actor: {
          kind: 'user',
          id: person.userId,
          ...(organizationId === null ? {} : { organizationId }),
        },
        input: { sessionDigest },
      });
    }
    const { hosts, oidc } = services;
    const ended = endedSessionCookies(request, hosts);
    return { cookies: [...ended, ...(oidc === null ? [] : [askForAccountCookie(hosts)])] };
  },
});

export const readSessionRoute = member.get('/session', {
  name: 'readSession',
  summary: 'Read your session',
  description: 'Returns the person and the organization that the session acts for.',
  success: { status: 200, schema: sessionSchema, description: 'The session' },
  async handle({ principal, services }) {
    const { personKey, sessionDigest } = principal;
    const read = async () => {
      const answer = await sessionAnswer(services, personKey, sessionDigest);
      services.operators.note(principal, answer);
      return answer;
    };
    return { body: await services.operators.ask(sessionDigest, read, ({ answer }) => answer) };
  },
});

export const switchSessionRoute = member.post('/session', {
  name: 'switchSession',
  summary: 'Act for another organization',
  description: 'Lets the session act for another organization of the person.',
  body: json(switchSessionRequestSchema),
  success: { status: 200, schema: sessionSchema, description: 'The session as it is now' },
  errors: ['not_found'],
  async handle({ principal, body, services, submit }) {
    const { personKey, sessionDigest, id: userId } = principal;
    const { organizationId } = body;
    await requireMembership(services, { organizationId, userId }, 'body.organizationId');
    await submit({
      topic: 'people',
      key: personKey,
      type: 'session-switch',
      input: { sessionDigest, organizationId },
    });
    return { body: await sessionAnswer(services, personKey, sessionDigest) };
  },
});

export const listSessionsRoute = member.get('/sessions', {
  name: 'listSessions',
  summary: 'List your sessions',
  description: 'Returns every session of the person, newest first.',
  success: { status: 200, schema: sessionListSchema, description: 'The sessions, newest first' },
  async handle({ principal, services }) {
    const person = await readPerson(services, principal.personKey);
    const now = services.clock.now();
    const sessions = (person?.sessions ?? [])
      .filter(({ expiresAt }) => now < expiresAt)
      .map(({ digest, createdAt, expiresAt, browser = null }) => ({
        sessionId: digest,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(expiresAt),
        browser,
        current: digest === principal.sessionDigest,
      }));
    return { body: { sessions: sessions.reverse() } };
  },
});

export const endSessionRoute = member.delete('/sessions/:sessionId', {
  name: 'endSession',
  summary: 'End one of your sessions',
  description: 'Signs one browser of the person out. A repeat changes nothing.',
  success: { status: 204, description: 'The session has ended' },
  async handle({ principal, params, submit }) {
    const input = { sessionDigest: params.sessionId };
    await submit({ topic: 'people', key: principal.personKey, type: 'session-end', input });
    return {};
  },
});
