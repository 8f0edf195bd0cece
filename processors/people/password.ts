import { digestsEqual } from '../../schemas/base/digest.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { PersonDocument } from '../../schemas/people/documents.ts';
import { isIdentityUsable } from '../../schemas/people/identity-blob.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { IDENTITY_ENDED, removeIdentity } from './identities.ts';
import type { PersonInput, PersonResult } from './result.ts';
import { endSessions } from './sessions.ts';

/** A new password in place of one that was just verified. All other sessions end. */
export function changePassword(
  root: PersonDocument | null,
  { from, to, sessionDigest }: PersonInput<'change-password'>,
  context: FoldContext,
): PersonResult {
  if (root === null || root.identityBlob !== from) return refuseIdentity(SIGN_IN_REFUSED, to, context);
  if (!isIdentityUsable(to, context.now)) return refuseIdentity(IDENTITY_ENDED, to, context);
  return replaceIdentity(root, to, context, (session) => session.digest !== sessionDigest);
}

/**
 * A one-time link for a new password. An organization may offer it to somebody who belongs to it alone: else its owner
 * could sign in to other organizations as that person. The service's operators may offer it to everybody.
 */
export function offerPasswordReset(
  root: PersonDocument | null,
  { organizationId, operator, codeDigest }: PersonInput<'offer-reset'>,
  context: FoldContext,
  limits: Limits,
): PersonResult {
  if (root === null) return refuseReset(NO_PERSON, { organizationId, codeDigest });
  const others = root.organizationIds.some((id) => id !== organizationId);
  if (others && !operator) return refuseReset(BELONGS_ELSEWHERE, { organizationId, codeDigest });
  const expiresAt = context.now + limits.console.resetLinkMs;
  const effects: Effect[] = [
    {
      kind: 'lookup',
      lookup: { kind: 'reset-code', digest: codeDigest, target: { personKey: context.aggregate }, expiresAt },
    },
  ];
  if (root.reset !== null) effects.push(endReset(root.reset));
  return {
    outcome: { kind: 'done', result: { digest: codeDigest, expiresAt } },
    root: {
      ...root,
      reset: { digest: codeDigest, expiresAt, offeredBy: operator ? null : organizationId },
    },
    effects,
    audit: { userId: root.userId },
    recordedIn: [...new Set([organizationId, ...root.organizationIds])],
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
  { organizationId, codeDigest }: Pick<PersonInput<'offer-reset'>, 'organizationId' | 'codeDigest'>,
): PersonResult {
  return {
    outcome: { kind: 'refused', refusal: reason },
    effects: [
      {
        kind: 'command',
        topic: 'organizations',
        key: organizationId,
        type: 'reset-released',
        input: { codeDigest },
      },
    ],
  };
}

/** A new password by a one-time link. The link and every session end. */
export function resetPassword(
  root: PersonDocument | null,
  { codeDigest, to, address }: PersonInput<'reset-password'>,
  context: FoldContext,
): PersonResult {
  const reset = root?.reset ?? null;
  const open = reset !== null && context.now < reset.expiresAt && digestsEqual(reset.digest, codeDigest);
  if (root === null || !open || !mayStillOffer(root, reset)) {
    return refuseIdentity(
      refusal('not_found', {
        at: 'body.code',
        seen: 'a code that was used or has ended',
        expected: 'the code of an open reset link',
      }),
      to,
      context,
    );
  }
  if (!isIdentityUsable(to, context.now)) return refuseIdentity(IDENTITY_ENDED, to, context);
  const replaced = replaceIdentity({ ...root, reset: null }, to, context, () => true);
  return {
    ...replaced,
    effects: [...(replaced.effects ?? []), endReset(reset)],
    audit: address === undefined ? {} : { address },
    recordedIn: root.organizationIds,
  };
}

/** Whether the link's organization may still offer it: the person belongs to that organization alone, or an operator offered it. */
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
  root: PersonDocument,
  to: string,
  context: FoldContext,
  ends: (session: PersonDocument['sessions'][number]) => boolean,
): PersonResult {
  const { person, effects } = endSessions(root, ends);
  return {
    outcome: { kind: 'done', result: {} },
    root: { ...person, identityBlob: to },
    effects: [...effects, removeIdentity(context, root.identityBlob)],
  };
}

function refuseIdentity(reason: Refusal, name: string, context: FoldContext): PersonResult {
  return { outcome: { kind: 'refused', refusal: reason }, effects: [removeIdentity(context, name)] };
}

function endReset({ digest, expiresAt }: NonNullable<PersonDocument['reset']>): Effect {
  return { kind: 'lookup', lookup: { kind: 'reset-code', digest, target: null, expiresAt } };
}
