import { digestsEqual } from '../../../schemas/base/digest.ts';
import { ServiceError, serviceError, usedKey } from '../../../schemas/base/errors.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { resetTargetSchema } from '../../../schemas/people/documents.ts';
import { normaliseEmail } from '../../../schemas/people/email.ts';
import {
  changeEmailRequestSchema,
  changePasswordRequestSchema,
  erasePersonRequestSchema,
  resetPasswordRequestSchema,
} from '../../../schemas/people/http.ts';
import { SESSION_ENDED } from '../../../schemas/people/refusals.ts';
import { member, visitor } from '../../audiences.ts';
import { endedSessionCookies, newSession } from '../../http/callers/session-cookie.ts';
import { isRemembered } from '../../http/records/remembered.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { attemptFromOutside, attemptOfCaller, isWrongPassword, verifiedCaller } from '../attempts.ts';
import { findMembership } from '../find-session.ts';
import { readIdentity, shownIdentity, writeIdentity } from '../identity-blob.ts';
import { createPasswordVerifier } from '../password.ts';
import { personKeyOf } from '../person-key.ts';
import { readIdentified, verifiedPerson } from '../verified-identity.ts';

export const changePasswordRoute = member.post('/password', {
  name: 'changePassword',
  summary: 'Change your password',
  description:
    'Sets another password and ends every other session. A repeat with the same `Idempotency-Key` returns the first answer.',
  idempotencyHeader: true,
  body: json(changePasswordRequestSchema),
  success: { status: 204, description: 'The password is changed; other sessions have ended' },
  errors: ['unauthorized', 'rate_limited'],
  async handle({ principal, body, idempotencyKey, services, submit }) {
    const { personKey, sessionDigest } = principal;
    const verify = (password: string) => verifiedPerson(services, personKey, password, personKey);
    const before = await attemptOfCaller(services, principal, () =>
      verify(body.current).catch(async (error: unknown) => {
        const isRepeat =
          isWrongPassword(error) &&
          (await hasSetPassword(services, personKey, 'changePassword', idempotencyKey));
        if (!isRepeat) throw error;
        await verify(body.next);
        return null;
      }),
    );
    if (before === null) return {};
    const { identityBlob: from } = before;
    const identity = await readIdentity(services, personKey, from);
    const to = await writeIdentity(services, personKey, {
      email: identity?.email ?? '',
      passwordVerifier: await createPasswordVerifier(body.next, personKey),
    });
    await submit({
      topic: 'people',
      key: personKey,
      type: 'change-password',
      // No password, not even as a digest: the identity is another one with each password.
      digestInput: { personKey, from },
      input: { from, to, sessionDigest },
    });
    return {};
  },
});

/** True if a request with this key has set the person's password. */
async function hasSetPassword(
  services: GatewayServices,
  personKey: string,
  operation: string,
  idempotencyKey: string | null,
): Promise<boolean> {
  if (idempotencyKey === null) return false;
  return await isRemembered(services, { table: 'people', id: personKey }, operation, idempotencyKey);
}

export const resetPasswordRoute = visitor.post('/password/reset', {
  name: 'resetPassword',
  summary: 'Set a new password with a one-time code',
  description:
    'Sets a new password with the code of a one-time link, and ends every session. A repeat with the same `Idempotency-Key` returns the first answer.',
  idempotencyHeader: true,
  body: json(resetPasswordRequestSchema),
  success: { status: 204, description: 'The password is set; sign in with it' },
  errors: ['not_found', 'rate_limited'],
  async handle({ body, idempotencyKey, addressKey, services, submit }) {
    const codeDigest = secretDigest(body.code);
    const target = await services.digestIndex.get({ kind: 'reset-code', digest: codeDigest });
    const personKey = target === null ? null : readStored(resetTargetSchema, target).personKey;
    const found = personKey === null ? null : await readIdentified(services, personKey);
    if (personKey === null || found === null) throw noReset();
    const { reset } = found.person;
    if (reset === null || !digestsEqual(reset.digest, codeDigest)) {
      if (!(await hasSetPassword(services, personKey, 'resetPassword', idempotencyKey))) throw noReset();
      await refuseOtherPassword(services, { personKey, addressKey: addressKey() }, body.password);
      return {};
    }
    const to = await writeIdentity(services, personKey, {
      email: found.identity.email,
      passwordVerifier: await createPasswordVerifier(body.password, addressKey()),
    });
    await submit({
      topic: 'people',
      key: personKey,
      type: 'reset-password',
      digestInput: { codeDigest },
      actor: { kind: 'user', id: found.person.userId },
      input: { codeDigest, to, address: addressKey() },
    });
    return {};
  },
});

function noReset(): ServiceError {
  return serviceError('not_found', {
    at: 'body.code',
    seen: 'a code that was used or has expired',
    expected: 'the code of an open reset link',
  });
}

/**
 * Refuses the repeat of a reset that names another password than the person's. It counts as an attempt to sign in.
 *
 * @throws {ServiceError} `idempotency_conflict`, or `rate_limited` beyond the limits of attempts
 */
async function refuseOtherPassword(
  services: GatewayServices,
  by: { readonly personKey: string; readonly addressKey: string },
  password: string,
): Promise<void> {
  const { personKey, addressKey } = by;
  try {
    await attemptFromOutside(services, by, () => verifiedPerson(services, personKey, password, addressKey));
  } catch (error) {
    throw isWrongPassword(error) ? new ServiceError(usedKey('header.Idempotency-Key')) : error;
  }
}

export const changeEmailRoute = member.post('/email', {
  name: 'changeEmail',
  summary: 'Change your e-mail address',
  description: 'Changes the e-mail address with which the person signs in, and ends every other session.',
  body: json(changeEmailRequestSchema),
  success: { status: 204, description: 'The address is changed; other sessions have ended' },
  errors: ['unauthorized', 'forbidden', 'state_conflict', 'rate_limited'],
  async handle({ principal, body, request, services, submit }) {
    const { personKey, id: userId, sessionDigest } = principal;
    const passwordVerifier = (await readIdentified(services, personKey))?.identity.passwordVerifier ?? null;
    if (passwordVerifier === null) {
      throw serviceError('forbidden', {
        at: 'caller.identity',
        seen: 'a person who signs in with an identity provider',
        expected: 'one who signs in with a password; change the address at the provider',
      });
    }
    const { identityBlob: from } = await verifiedCaller(services, principal, body.password);
    const nextKey = personKeyOf(services.secrets, body.email);
    // Also the answer to a repeat whose first answer was lost.
    if (nextKey === personKey) return {};
    const email = normaliseEmail(body.email);
    const to = await writeIdentity(services, nextKey, { email, passwordVerifier });
    const { opened, setCookie } = newSession(services, request);
    const { sessionDigest: nextSessionDigest, ...named } = opened;
    await submit({
      topic: 'people',
      key: nextKey,
      type: 'reserve-address',
      digestInput: { personKey, nextKey },
      input: { personKey, userId, from, to, sessionDigest, nextSessionDigest, ...named },
    });
    return { headers: { 'Set-Cookie': setCookie } };
  },
});

export const erasePersonRoute = member.post('/erase', {
  name: 'erasePerson',
  summary: 'Erase oneself',
  description:
    'Leaves every organization and erases the person. The only owner of an organization cannot be erased.',
  body: json(erasePersonRequestSchema),
  success: { status: 204, description: 'The person is erased, and every session has ended' },
  errors: ['unauthorized', 'state_conflict', 'rate_limited'],
  async handle({ principal, body, request, services, submit }) {
    const { personKey, id: userId } = principal;
    const found = await readIdentified(services, personKey);
    if (found === null) throw new ServiceError(SESSION_ENDED);
    const { person, identity } = found;
    const { email, subject } = shownIdentity(identity);
    if (normaliseEmail(body.confirm) !== normaliseEmail(email || subject || userId)) {
      throw serviceError('bad_request', {
        at: 'body.confirm',
        seen: 'another text',
        expected: 'the e-mail address of this person; without one the subject, without either the id',
      });
    }
    if (identity.passwordVerifier !== null) await verifiedCaller(services, principal, body.password ?? '');
    await refuseLastOwner(services, person.organizationIds, userId);
    await submit({
      topic: 'people',
      key: personKey,
      type: 'erase-person',
      digestInput: { personKey },
      input: { from: person.identityBlob },
    });
    return { cookies: endedSessionCookies(request, services.hosts) };
  },
});

/** Spares a person who cannot be erased the loss of other memberships; it is the organizations' folds that decide. */
async function refuseLastOwner(
  services: GatewayServices,
  organizationIds: readonly string[],
  userId: string,
): Promise<void> {
  for (const organizationId of organizationIds) {
    const membership = await findMembership(services, organizationId, userId);
    if (membership?.role !== 'owner' || membership.organization.owners > 1) continue;
    throw serviceError('state_conflict', {
      at: 'organization.owners',
      seen: `one owner in the organization ${organizationId}`,
      expected: 'another owner; make another member an owner first',
    });
  }
}
