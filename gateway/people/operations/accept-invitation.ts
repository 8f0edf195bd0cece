import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { normaliseEmail } from '../../../schemas/people/email.ts';
import { acceptInvitationRequestSchema, sessionSchema } from '../../../schemas/people/http.ts';
import { visitor } from '../../audiences.ts';
import { newSession } from '../../http/callers/session-cookie.ts';
import { creationSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { attemptFromOutside } from '../attempts.ts';
import { findInvitation } from '../find-invitation.ts';
import { writeIdentity } from '../identity-blob.ts';
import { createPasswordVerifier } from '../password.ts';
import { personKeyOf } from '../person-key.ts';
import { sessionAnswer } from '../session-answer.ts';
import { signedInPerson } from '../signed-in-person.ts';
import { readPerson, verifiedPerson } from '../verified-identity.ts';

/** The person who accepts an invitation: a known, verified person, or one to be created. */
interface Invitee {
  readonly personKey: string;
  readonly userId: string;
  readonly identityBlob: string;
  readonly isNew: boolean;
}

/** POST `/v1/console/invitations/accept`: joins the organization and signs in there. */
export const acceptInvitationRoute = visitor.post('/invitations/accept', {
  name: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'Joins the organization of an invitation and signs in. With `email` and `password` it is for that person, who is created if there is none; without them, for the person of the session cookie. A repeat with the same `Idempotency-Key` returns the same session.',
  idempotencyHeader: true,
  body: json(acceptInvitationRequestSchema),
  success: { status: 200, schema: sessionSchema, description: 'A session for the organization' },
  errors: [
    'unauthorized',
    'session_required',
    'not_found',
    'state_conflict',
    'limit_reached',
    'rate_limited',
  ],
  async handle({ body, request, idempotencyKey, addressKey, services, submit }) {
    const codeDigest = secretDigest(body.code);
    const { organizationId, invitationId } = await findInvitation(services, codeDigest);
    const { email, password } = body;
    const invitee =
      email === undefined || password === undefined
        ? { ...(await signedInPerson(request, services)), isNew: false }
        : await inviteeByPassword(services, { email, password, addressKey: addressKey() });
    const scope = ['acceptInvitation', codeDigest, invitee.personKey];
    const { secret } = creationSecret(services, 'session', idempotencyKey, scope);
    const { opened, setCookie } = newSession(services, request, secret);
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'accept-invitation',
      digestInput: { invitationId, personKey: invitee.personKey },
      actor: { kind: 'user', id: invitee.userId, organizationId },
      input: { invitationId, codeDigest, ...invitee, ...opened },
    });
    return {
      body: await sessionAnswer(services, invitee.personKey, opened.sessionDigest),
      headers: { 'Set-Cookie': setCookie },
    };
  },
});

async function inviteeByPassword(
  services: GatewayServices,
  given: { readonly email: string; readonly password: string; readonly addressKey: string },
): Promise<Invitee> {
  const personKey = personKeyOf(services.secrets, given.email);
  const person = await readPerson(services, personKey);
  if (person !== null) {
    const { addressKey } = given;
    const { userId, identityBlob } = await attemptFromOutside(services, { personKey, addressKey }, () =>
      verifiedPerson(services, personKey, given.password, addressKey),
    );
    return { personKey, userId, identityBlob, isNew: false };
  }
  const identityBlob = await writeIdentity(services, personKey, {
    email: normaliseEmail(given.email),
    passwordVerifier: await createPasswordVerifier(given.password, given.addressKey),
  });
  return { personKey, userId: idFrom('user', services.entropy.bytes(ID_BYTES)), identityBlob, isNew: true };
}
