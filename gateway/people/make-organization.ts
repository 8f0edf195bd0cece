import { ID_BYTES, idFrom } from '../../schemas/base/ids.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import { newSession } from '../http/callers/session-cookie.ts';
import type { Answer, RouteContext } from '../http/routing/route.ts';
import type { PrincipalKind } from '../principals.ts';
import { writeIdentity } from './identity-blob.ts';
import { createPasswordVerifier } from './password.ts';
import { personKeyOf } from './person-key.ts';
import { sessionAnswer } from './session-answer.ts';

/** An organization to be made, and the person who shall own it. */
export interface NewOrganization {
  readonly organizationId: string;
  /** True if its members operate this service. */
  readonly operator: boolean;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The request that makes it. */
type Sender = Pick<
  RouteContext<PrincipalKind, unknown, unknown, unknown>,
  'services' | 'submit' | 'request' | 'addressKey'
>;

/** Makes an organization and its owner, and signs the owner in: what set-up and sign-up have in common. */
export async function makeOrganization(
  { services, submit, request, addressKey }: Sender,
  { organizationId, operator, name, email, password }: NewOrganization,
): Promise<Answer> {
  const personKey = personKeyOf(services.secrets, email);
  const identityBlob = await writeIdentity(services, personKey, {
    email: normaliseEmail(email),
    passwordVerifier: await createPasswordVerifier(password, addressKey()),
  });
  const { opened, setCookie } = newSession(services, request);
  const userId = idFrom('user', services.entropy.bytes(ID_BYTES));
  await submit({
    topic: 'organizations',
    key: organizationId,
    type: 'set-up',
    digestInput: { organization: name, personKey },
    actor: { kind: 'user', id: userId, organizationId },
    input: { name, operator, personKey, userId, identityBlob, ...opened },
  });
  return {
    body: await sessionAnswer(services, personKey, opened.sessionDigest),
    headers: { 'Set-Cookie': setCookie },
  };
}
