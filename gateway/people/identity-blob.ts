import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import { readStored } from '../../schemas/base/stored.ts';
import {
  PERSON_BLOB_GROUP,
  type PersonIdentity,
  personIdentitySchema,
} from '../../schemas/people/documents.ts';
import { identityBlobName } from '../../schemas/people/identity-blob.ts';
import { findBlob, writeBlob } from '../../topics/ports/blob-bytes.ts';
import type { BlobAddress } from '../../topics/ports/blobs.ts';
import type { GatewayServices } from '../services.ts';

const NAME_BYTES = 15;

/**
 * Writes a person's e-mail address and password verifier to a blob with a new name. The name is announced first: if
 * no command uses the blob within `IDENTITY_USABLE_MS`, the sweep removes it.
 *
 * @returns the name, for the command that uses the blob
 * @throws {ServiceError} `unavailable` if the announcement may not be durable; nothing is written then
 */
export async function writeIdentity(
  services: GatewayServices,
  personKey: string,
  identity: PersonIdentity,
): Promise<string> {
  const { blobs, clock, entropy } = services;
  const name = identityBlobName(clock.now(), entropy.bytes(NAME_BYTES));
  await announce(services, personKey, name);
  const bytes = Buffer.from(JSON.stringify(identity));
  await writeBlob(blobs, addressOf(personKey, name), [bytes], { expiresAt: null });
  return name;
}

/**
 * Announces a blob by a command with a new request id. Waiters find outcomes by request id, and must not mistake this
 * one for the request's.
 */
async function announce({ submit, entropy }: GatewayServices, personKey: string, identityBlob: string) {
  const input = { identityBlob };
  await submit({
    topic: 'people',
    key: personKey,
    type: 'announce-identity',
    operation: 'announce-identity',
    idempotencyKey: null,
    digestInput: input,
    requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
    actor: { kind: 'system', id: 'gateway' },
    input,
  });
}

/** Reads an identity, or null when there is none by this name. */
export async function readIdentity(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  personKey: string,
  name: string,
): Promise<PersonIdentity | null> {
  const bytes = await findBlob(blobs, addressOf(personKey, name));
  return bytes === null ? null : readStored(personIdentitySchema, JSON.parse(bytes.toString('utf8')));
}

interface Shown {
  readonly email: string;
  readonly subject: string | null;
}

/** Returns what people see of an identity: the e-mail address, and the subject at the provider of a person without one. */
export function shownIdentity({ email, subject }: PersonIdentity): Shown {
  return { email, subject: subject ?? null };
}

function addressOf(personKey: string, name: string): BlobAddress {
  return { owner: personKey, group: PERSON_BLOB_GROUP, name };
}
