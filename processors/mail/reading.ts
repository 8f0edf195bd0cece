import type { z } from 'zod';
import { stateOf } from '../../schemas/base/aggregate-root.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { memberDocumentSchema } from '../../schemas/organizations/documents.ts';
import {
  PERSON_BLOB_GROUP,
  type PersonDocument,
  type PersonIdentity,
  personIdentitySchema,
  personOf,
  personRootSchema,
} from '../../schemas/people/documents.ts';
import { findBlob } from '../../topics/ports/blob-bytes.ts';
import type { AggregateRef } from '../../topics/ports/store.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';

type Engines = Pick<ProcessorDependencies, 'store' | 'blobs'>;

/** Returns the root document of an aggregate, or null while there is none. */
export async function readRoot<Root>(
  store: Engines['store'],
  aggregate: AggregateRef,
  schema: z.ZodType<Root>,
): Promise<Root | null> {
  const { root } = await store.read(aggregate, []);
  const state = root === null ? null : stateOf(root.document);
  return state === null ? null : readStored(schema, state);
}

/** Returns the document of one row, or null if there is none. */
export async function readRow<Document>(
  store: Engines['store'],
  aggregate: AggregateRef,
  { kind, id, schema }: { readonly kind: string; readonly id: string; readonly schema: z.ZodType<Document> },
): Promise<Document | null> {
  const { rows } = await store.read(aggregate, [{ kind, id }]);
  const [found] = rows;
  return found === undefined ? null : readStored(schema, found.document);
}

export interface Identified {
  readonly person: PersonDocument;
  readonly identity: PersonIdentity;
}

/** Returns a person with what is private, or null without either. */
export async function readPerson({ store, blobs }: Engines, personKey: string): Promise<Identified | null> {
  const person = personOf(await readRoot(store, { table: 'people', id: personKey }, personRootSchema));
  if (person === null) return null;
  const address = { owner: personKey, group: PERSON_BLOB_GROUP, name: person.identityBlob };
  const bytes = await findBlob(blobs, address);
  if (bytes === null) return null;
  return { person, identity: readStored(personIdentitySchema, JSON.parse(bytes.toString('utf8'))) };
}

/** Returns the person who is this member of an organization, or null if it has none. */
export async function readMember(
  engines: Engines,
  organizationId: string,
  userId: string,
): Promise<Identified | null> {
  const row = { kind: 'member', id: userId, schema: memberDocumentSchema };
  const member = await readRow(engines.store, { table: 'organizations', id: organizationId }, row);
  return member === null ? null : await readPerson(engines, member.personKey);
}
