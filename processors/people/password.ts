import { digestsEqual } from '../../schemas/base/digest.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { type PersonDocument, personOf } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { CommandHandler, Effect, FoldContext, Scope } from '../runtime/fold/fold.ts';
import { commandTo, DONE, refused } from '../runtime/fold/results.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import type { PeopleFold } from './people-fold.ts';
import { endSessions } from './sessions.ts';

/** A new password in place of one that was just verified. All other sessions end. */
export const changePassword: CommandHandler<PeopleFold, 'change-password'> = {
  fold({ root, input: { from, to, sessionDigest }, context }) {
    const person = personOf(root);
    if (person === null || person.identityBlob !== from) return refuseIdentity(SIGN_IN_REFUSED, to, context);
    if (!isIdentityUsable(to, context.now)) return refuseIdentity(IDENTITY_ENDED, to, context);
    return replaceIdentity(person, to, context, (session) => session.digest !== sessionDigest);
  },
};

/**
 * Offers a one-time link for a new password. An organization may offer it to a person who belongs to it alone: else
 * its owner could sign in to other organizations as that person. The service's operators may offer it to every
 * person.
 */
export const offerPasswordReset: CommandHandler<PeopleFold, 'offer-reset'> = {
  fold({ root, input, actor, context, limits }) {
    const { organizationId, operator, codeDigest } = input;
    const person = personOf(root);
    if (person === null) return refuseReset(NO_PERSON, input);
    const others = person.organizationIds.some((id) => id !== organizationId);
    if (others && !operator) return refuseReset(BELONGS_ELSEWHERE, input);
    const expiresAt = context.now + limits.console.resetLinkMs;
    const offeredBy = operator ? null : organizationId;
    return {
      outcome: { kind: 'done', result: { digest: codeDigest, expiresAt } },
      ...withReset(person, { digest: codeDigest, expiresAt, offeredBy }, context),
      audit: { userId: person.userId },
      recordedIn: [
        ...new Set([organizationId, actor.organizationId ?? organizationId, ...person.organizationIds]),
      ],
    };
  },
};

/** Offers a person the link of a mail that is about to be sent. Without a person, the outbox has nothing to send. */
export const offerMailedReset: CommandHandler<PeopleFold, 'offer-mailed-reset'> = {
  fold({ root, input: { mailId, codeDigest: digest }, context, limits }) {
    const key = context.aggregate;
    const person = personOf(root);
    if (person === null) {
      return { ...DONE, effects: [commandTo({ topic: 'mail', key, type: 'settle', input: { mailId } })] };
    }
    const expiresAt = context.now + limits.console.resetLinkMs;
    const offered = withReset(person, { digest, expiresAt, offeredBy: null }, context);
    const send: Effect = {
      kind: 'command',
      topic: 'mail-sends',
      key,
      type: 'send',
      input: { outbox: key, mailId, attempt: 1 },
    };
    return { ...DONE, ...offered, effects: [...offered.effects, send] };
  },
};

/** The person with a link in place of a former one. */
function withReset(
  person: PersonDocument,
  reset: NonNullable<PersonDocument['reset']>,
  { aggregate: personKey }: FoldContext,
): { root: PersonDocument; effects: Effect[] } {
  const { digest, expiresAt } = reset;
  return {
    root: { ...person, reset },
    effects: [
      { kind: 'index', entry: { kind: 'reset-code', digest, target: { personKey }, expiresAt } },
      ...withoutReset(person).effects,
    ],
  };
}

const NO_PERSON = refusal('not_found', {
  at: 'body.email',
  seen: 'no address that signs in with a password',
  expected: 'the e-mail address of a person with a password',
});

const BELONGS_ELSEWHERE = refusal('forbidden', {
  at: 'person.organizations',
  seen: 'other organizations beside this one',
  expected: 'this one alone; an operator has to make the link',
});

function refuseReset(
  reason: Refusal,
  { organizationId, codeDigest }: Scope<PeopleFold, 'offer-reset'>['input'],
) {
  return refused(reason, [
    commandTo({
      topic: 'organizations',
      key: organizationId,
      type: 'reset-released',
      input: { codeDigest },
    }),
  ]);
}

/** A new password by a one-time link. The link and every session end. */
export const resetPassword: CommandHandler<PeopleFold, 'reset-password'> = {
  fold({ root, input: { codeDigest, to, address }, context }) {
    const person = personOf(root);
    const reset = person?.reset ?? null;
    const open = reset !== null && context.now < reset.expiresAt && digestsEqual(reset.digest, codeDigest);
    if (person === null || !open || !mayStillOffer(person, reset)) {
      return refuseIdentity(
        refusal('not_found', {
          at: 'body.code',
          seen: 'a code that was used or has expired',
          expected: 'the code of an open reset link',
        }),
        to,
        context,
      );
    }
    if (!isIdentityUsable(to, context.now)) return refuseIdentity(IDENTITY_ENDED, to, context);
    return {
      // The index entry of the code stays until it expires: a repeat finds the person by it.
      ...replaceIdentity({ ...person, reset: null }, to, context, () => true),
      audit: address === undefined ? {} : { address },
      recordedIn: person.organizationIds,
    };
  },
};

/**
 * True if the link's organization may still offer it: the person belongs to that organization alone, or an operator
 * offered it.
 */
function mayStillOffer(
  { organizationIds }: PersonDocument,
  { offeredBy }: NonNullable<PersonDocument['reset']>,
): boolean {
  if (offeredBy === null) return true;
  return organizationIds.length === 1 && organizationIds[0] === offeredBy;
}

/**
 * Ends the outstanding link of a person whose memberships change: the organization that offered it may be another one's
 * neighbour now, or a stranger.
 */
export function withoutReset(person: PersonDocument): { person: PersonDocument; effects: Effect[] } {
  return {
    person: { ...person, reset: null },
    effects: person.reset === null ? [] : [endReset(person.reset)],
  };
}

function replaceIdentity(
  before: PersonDocument,
  to: string,
  context: FoldContext,
  ends: (session: PersonDocument['sessions'][number]) => boolean,
) {
  const { person, effects } = endSessions(before, ends);
  return {
    ...DONE,
    root: { ...person, identityBlob: to },
    effects: [...effects, removeIdentity(context, before.identityBlob)],
  };
}

function refuseIdentity(reason: Refusal, name: string, context: FoldContext) {
  return refused(reason, [removeIdentity(context, name)]);
}

function endReset({ digest, expiresAt }: NonNullable<PersonDocument['reset']>): Effect {
  return { kind: 'index', entry: { kind: 'reset-code', digest, target: null, expiresAt } };
}
