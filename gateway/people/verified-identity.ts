import { ServiceError } from '../../schemas/base/errors.ts';
import { type PersonDocument, personDocumentSchema } from '../../schemas/people/documents.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import { readAggregate } from '../read-aggregate.ts';
import type { GatewayServices } from '../services.ts';
import { throttle } from '../throttle.ts';
import { readIdentity } from './identity-blob.ts';
import { verifyPassword } from './password.ts';

/** By account and by address, right and wrong passwords alike, and for addresses that nobody has as well. */
export async function limitAttempts(
  services: GatewayServices,
  personKey: string,
  addressKey: string,
): Promise<void> {
  const { signInsPerAccount, signInsPerAddress, signInWindowMs } = services.limits.console;
  await throttle(
    services,
    [
      { key: `sign-in-address:${addressKey}`, limit: signInsPerAddress, windowMs: signInWindowMs },
      { key: `sign-in-account:${personKey}`, limit: signInsPerAccount, windowMs: signInWindowMs },
    ],
    'Too many attempts to sign in; wait before the next one.',
  );
}

/** A person by its key, or null. */
export async function readPerson(
  { store }: Pick<GatewayServices, 'store'>,
  personKey: string,
): Promise<PersonDocument | null> {
  return (await readAggregate(store, { table: 'people', id: personKey }, personDocumentSchema)).root;
}

/**
 * The name of the identity that the password fits. An address that nobody has takes the same steps.
 *
 * @throws {ServiceError} {@link SIGN_IN_REFUSED}.
 */
export async function verifiedIdentity(
  services: GatewayServices,
  personKey: string,
  password: string,
): Promise<string> {
  const person = await readPerson(services, personKey);
  const name = person?.identityBlob ?? 'none';
  const identity = await readIdentity(services, personKey, name);
  if (!(await verifyPassword(password, identity?.passwordVerifier ?? null))) {
    throw new ServiceError(SIGN_IN_REFUSED);
  }
  return name;
}
