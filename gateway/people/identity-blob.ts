import {
  PERSON_BLOB_GROUP,
  type PersonIdentity,
  personIdentitySchema,
} from '../../schemas/people/documents.ts';
import type { BlobAddress } from '../../topics/ports/blobs.ts';
import type { GatewayServices } from '../services.ts';

const NAME_BYTES = 15;

/**
 * Writes a person's e-mail address and password verifier where private bytes live, under a name of its own (design rule
 * 9). Returns the name, for the command that makes it count.
 */
export async function writeIdentity(
  { blobs, entropy }: Pick<GatewayServices, 'blobs' | 'entropy'>,
  personKey: string,
  identity: PersonIdentity,
): Promise<string> {
  const name = Buffer.from(entropy.bytes(NAME_BYTES)).toString('hex');
  const writer = blobs.create(addressOf(personKey, name), { expiresAt: null });
  try {
    await writer.write(Buffer.from(JSON.stringify(identity)));
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return name;
}

/** Reads an identity, or null when there is none by this name. */
export async function readIdentity(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  personKey: string,
  name: string,
): Promise<PersonIdentity | null> {
  const pieces = await blobs.read(addressOf(personKey, name));
  if (pieces === null) return null;
  const bytes = await collect(pieces);
  return personIdentitySchema.parse(JSON.parse(bytes.toString('utf8')));
}

function addressOf(personKey: string, name: string): BlobAddress {
  return { owner: personKey, group: PERSON_BLOB_GROUP, name };
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const held: Uint8Array[] = [];
  for await (const piece of pieces) held.push(piece);
  return Buffer.concat(held);
}
