import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import { erasePersonRequestSchema } from '../../schemas/people/http.ts';
import { SESSION_ENDED } from '../../schemas/people/refusals.ts';
import { member } from '../audiences.ts';
import { json } from '../http/audience.ts';
import type { GatewayServices } from '../http/services.ts';
import { attemptWithSession } from './attempts.ts';
import { findMembership } from './find-session.ts';
import { endedSessionCookie } from './session-cookie.ts';
import { readIdentified, verifiedPerson } from './verified-identity.ts';

/** POST `/v1/console/erase`: leaves every organization and erases the person. */
export const erasePersonRoute = member.post('/erase', {
  name: 'erasePerson',
  summary: 'Erase oneself',
  body: json(erasePersonRequestSchema),
  success: { status: 204, description: 'The person is erased, and every session has ended' },
  errors: ['unauthorized', 'state_conflict', 'rate_limited'],
  async handle({ principal, body, services, submit }) {
    const { personKey, id: userId, sessionDigest } = principal;
    const found = await readIdentified(services, personKey);
    if (found === null) throw new ServiceError(SESSION_ENDED);
    const { person, identity } = found;
    if (normaliseEmail(body.confirm) !== normaliseEmail(identity.email)) {
      throw serviceError('bad_request', {
        at: 'body.confirm',
        seen: 'another text',
        expected: 'the e-mail address of this person',
      });
    }
    if (identity.passwordVerifier !== null) {
      await attemptWithSession(services, sessionDigest, () =>
        verifiedPerson(services, personKey, body.password ?? ''),
      );
    }
    await refuseLastOwner(services, person.organizationIds, userId);
    await submit({
      topic: 'people',
      key: personKey,
      type: 'erase-person',
      digestInput: { personKey },
      input: { from: person.identityBlob },
    });
    return { headers: { 'Set-Cookie': endedSessionCookie(services.hosts) } };
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
