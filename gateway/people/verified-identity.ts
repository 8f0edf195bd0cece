import { ServiceError } from '../../schemas/base/errors.ts';
import {
  type PersonDocument,
  type PersonIdentity,
  personOf,
  personRootSchema,
} from '../../schemas/people/documents.ts';
import { SIGN_IN_REFUSED } from '../../schemas/people/refusals.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { GatewayServices } from '../services.ts';
import { readIdentity } from './identity-blob.ts';
import { verifyPassword } from './password.ts';

/** A person by its key, or null. */
export async function readPerson(
  { store }: Pick<GatewayServices, 'store'>,
  personKey: string,
): Promise<PersonDocument | null> {
  return personOf((await readAggregate(store, { table: 'people', id: personKey }, personRootSchema)).root);
}

/** A person with the identity that counts, or null without either. */
export async function readIdentified(
  services: GatewayServices,
  personKey: string,
): Promise<{ readonly person: PersonDocument; readonly identity: PersonIdentity } | null> {
  const person = await readPerson(services, personKey);
  const identity = person === null ? null : await readIdentity(services, personKey, person.identityBlob);
  return person === null || identity === null ? null : { person, identity };
}

/**
 * Returns the person whom the password fits. An unknown address takes the same steps.
 *
 * @param holder as in {@link verifyPassword}
 * @throws {ServiceError} {@link SIGN_IN_REFUSED}, or as {@link verifyPassword}
 */
export async function verifiedPerson(
  services: GatewayServices,
  personKey: string,
  password: string,
  holder: string,
): Promise<PersonDocument> {
  const person = await readPerson(services, personKey);
  const name = person?.identityBlob ?? 'none';
  const identity = await readIdentity(services, personKey, name);
  const fits = await verifyPassword(password, identity?.passwordVerifier ?? null, holder);
  if (!fits || person === null) throw new ServiceError(SIGN_IN_REFUSED);
  return person;
}
