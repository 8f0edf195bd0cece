import type { JsonObject } from '../../schemas/base/json.ts';
import type { Limits } from '../../schemas/limits.ts';
import { type ConsoleSession, type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { CommandHandler, Effect, FoldContext } from '../runtime/fold/fold.ts';
import { DONE, DONE_UNREMEMBERED, refused, refusedFor } from '../runtime/fold/results.ts';
import { removeIdentity } from './identities.ts';
import type { PeopleFold } from './people-fold.ts';

/** Signs a person in whose password was verified against the identity that the command names. */
export const startSession: CommandHandler<PeopleFold, 'session-start'> = {
  fold({ root, input, context, limits }) {
    const { identityBlob, nextIdentityBlob, sessionDigest, mayBelongNowhere, address, browser } = input;
    const { organizationId: named } = input;
    const known = personOf(root);
    // A provider vouches for the person of a new identity, so that two sign-ins at once may both bring one.
    const isVouched = known?.identityBlob === identityBlob || nextIdentityBlob !== undefined;
    if (known === null || !isVouched) return refused(SIGN_IN_REFUSED);
    const { person, effects } = withIdentity(known, nextIdentityBlob, context);
    const [first = null] = person.organizationIds;
    const organizationId = named ?? first;
    if (organizationId !== null && !person.organizationIds.includes(organizationId)) {
      return refusedFor('forbidden', {
        at: 'body.organizationId',
        seen: 'the id of no organization of this person',
        expected: 'the id of an organization that the person belongs to',
      });
    }
    if (organizationId === null && !mayBelongNowhere) {
      return refusedFor('forbidden', {
        at: 'person.organizations',
        seen: 'none',
        expected: 'an organization that the person belongs to; accept an invitation first',
      });
    }
    const opened = openSession(person, { digest: sessionDigest, organizationId, browser }, context, limits);
    return {
      outcome: { kind: 'done', result: { userId: person.userId } },
      root: opened.root,
      effects: [...effects, ...opened.effects],
      audit: address === undefined ? {} : { address },
      recordedIn: person.organizationIds,
    };
  },
};

/** Replaces the identity of a person, unless the sweep may have removed the new one. */
function withIdentity(person: PersonDocument, identityBlob: string | undefined, context: FoldContext) {
  if (identityBlob === undefined || !isIdentityUsable(identityBlob, context.now)) {
    return { person, effects: [] };
  }
  return { person: { ...person, identityBlob }, effects: [removeIdentity(context, person.identityBlob)] };
}

/** Records an attempt with a wrong password. It changes nothing. */
export const noteRefusedSignIn: CommandHandler<PeopleFold, 'sign-in-refused'> = {
  fold({ root, input: { address } }) {
    return {
      ...DONE_UNREMEMBERED,
      audit: { address },
      recordedIn: personOf(root)?.organizationIds ?? [],
    };
  },
};

/** Signs out. A session that has ended already is no error: the wish is fulfilled. */
export const endSession: CommandHandler<PeopleFold, 'session-end'> = {
  fold({ root, input: { sessionDigest } }) {
    const person = personOf(root);
    const ended = person?.sessions.find((session) => session.digest === sessionDigest);
    if (person === null || ended === undefined) return DONE;
    return {
      ...DONE,
      root: { ...person, sessions: person.sessions.filter((session) => session !== ended) },
      effects: [endLookup(ended)],
    };
  },
};

/** Lets a session act for another organization of the person. */
export const switchSession: CommandHandler<PeopleFold, 'session-switch'> = {
  fold({ root, input: { sessionDigest, organizationId } }) {
    const person = personOf(root);
    const session = person?.sessions.find(({ digest }) => digest === sessionDigest);
    if (person === null || session === undefined || !person.organizationIds.includes(organizationId)) {
      return refusedFor('not_found', {
        at: 'body.organizationId',
        seen: 'the id of no organization of this person',
        expected: 'the id of an organization that the person belongs to',
      });
    }
    const switched = { ...session, organizationId };
    return {
      ...DONE,
      root: { ...person, sessions: person.sessions.map((held) => (held === session ? switched : held)) },
    };
  },
};

/**
 * Ends the sessions that a condition names.
 *
 * @param target what their look-ups say from now on
 */
export function endSessions(
  person: PersonDocument,
  ends: (session: ConsoleSession) => boolean,
  target: JsonObject | null = null,
): { person: PersonDocument; effects: Effect[] } {
  const ended = person.sessions.filter(ends);
  return {
    person: { ...person, sessions: person.sessions.filter((session) => !ended.includes(session)) },
    effects: ended.map((session) => endLookup(session, target)),
  };
}

/** Adds a session; ended ones are dropped, and beyond the limit the oldest ends. */
export function openSession(
  person: PersonDocument,
  { digest, organizationId, browser }: Omit<ConsoleSession, 'createdAt' | 'expiresAt'>,
  context: FoldContext,
  limits: Limits,
): { root: PersonDocument; effects: Effect[] } {
  const { sessionMs, sessionsPerPerson } = limits.console;
  const opened: ConsoleSession = {
    digest,
    createdAt: context.now,
    expiresAt: context.now + sessionMs,
    organizationId,
    ...(browser === undefined ? {} : { browser }),
  };
  const sessions = [...person.sessions.filter(({ expiresAt }) => context.now < expiresAt), opened];
  const evicted = sessions.slice(0, Math.max(0, sessions.length - sessionsPerPerson));
  return {
    root: { ...person, sessions: sessions.slice(evicted.length) },
    effects: [
      ...evicted.map((session) => endLookup(session)),
      {
        kind: 'index',
        entry: {
          kind: 'console-session',
          digest,
          target: { personKey: context.aggregate },
          expiresAt: opened.expiresAt,
        },
      },
    ],
  };
}

function endLookup({ digest, expiresAt }: ConsoleSession, target: JsonObject | null = null): Effect {
  return { kind: 'index', entry: { kind: 'console-session', digest, target, expiresAt } };
}

/** Notes when a person was last seen, to the hour: several gateways report it. */
export const notePersonSeen: CommandHandler<PeopleFold, 'seen'> = {
  fold({ root, context, limits }) {
    const person = personOf(root);
    if (person === null) return DONE_UNREMEMBERED;
    const { lastSeenAt } = person;
    if (lastSeenAt !== null && context.now < lastSeenAt + limits.workspace.lastUseMs)
      return DONE_UNREMEMBERED;
    return { ...DONE_UNREMEMBERED, root: { ...person, lastSeenAt: context.now } };
  },
};
