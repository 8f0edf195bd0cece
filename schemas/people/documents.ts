import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema } from '../base/time.ts';
import { browserNameSchema } from './browser-name.ts';

/** A signed-in browser. */
const consoleSessionSchema = z.strictObject({
  /** SHA-256 of the cookie's secret. */
  digest: sha256Schema,
  createdAt: epochMsSchema,
  expiresAt: epochMsSchema,
  /** The organization the person acts for in this session; null for a person without any organization yet. */
  organizationId: idSchema('organization').nullable(),
  /** Absent for a program that is no known browser, and for a session that an earlier program opened. */
  browser: browserNameSchema.optional(),
});

export type ConsoleSession = z.infer<typeof consoleSessionSchema>;

/** A person. The aggregate's id is the HMAC of the normalised e-mail address. */
export const personDocumentSchema = z.strictObject({
  userId: idSchema('user'),
  createdAt: epochMsSchema,
  /** Names the blob that holds e-mail address and password verifier; a new password is a new blob. */
  identityBlob: z.string().min(1).max(80),
  /** The organizations that the person is a member of, oldest first. Each organization stores the person's role. */
  organizationIds: z.array(idSchema('organization')),
  /** Oldest first. A handful by limit, so they live in the root, where the fold sees which one is the oldest. */
  sessions: z.array(consoleSessionSchema),
  /** The one-time link for a new password that was made last; null when there is none. */
  reset: z
    .strictObject({
      digest: sha256Schema,
      expiresAt: epochMsSchema,
      /**
       * The organization that offered the link; null for an operator's link. A document of an earlier program lacks it, and
       * its link no longer works.
       */
      offeredBy: idSchema('organization').nullable().optional(),
    })
    .nullable(),
  /** To the hour. */
  lastSeenAt: epochMsSchema.nullable(),
});

export type PersonDocument = z.infer<typeof personDocumentSchema>;

/**
 * Root document of an address without a person.
 * - `vacant`: its person was erased or has another address now.
 * - `reserved`: a person of another address is about to move here.
 */
const addressDocumentSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('vacant') }),
  z.strictObject({
    state: z.literal('reserved'),
    userId: idSchema('user'),
    identityBlob: z.string().min(1).max(80),
  }),
]);

/** Root document of the table `people`. */
export const personRootSchema = z.union([personDocumentSchema, addressDocumentSchema]);

export type PersonRoot = z.infer<typeof personRootSchema>;

/** The person of an aggregate, or null: there is none, or none any more. */
export function personOf(root: PersonRoot | null): PersonDocument | null {
  return root === null || 'state' in root ? null : root;
}

/** True if the address has a person, or is reserved for a person. */
export function isTaken(root: PersonRoot | null): boolean {
  return root !== null && !('state' in root && root.state === 'vacant');
}

/** Target of a look-up of kind `console-session`. */
export const consoleSessionTargetSchema = z.strictObject({
  personKey: sha256Schema,
  /** Present where the session has ended because the person left its organization. */
  ended: z.literal('left').optional(),
});

/** Target of a look-up of kind `reset-code`. */
export const resetTargetSchema = z.strictObject({ personKey: sha256Schema });

/** The content of a person's identity blob, as JSON. Only the person may read it back. */
export const personIdentitySchema = z.strictObject({
  /** Empty for a person whose identity provider names no address. */
  email: z.string(),
  /** The subject at the provider of a person without an address; absent for others. */
  subject: z.string().optional(),
  /**
   * The password's verifier, with its parameters; never the password. Null for a person who signs in with a provider.
   */
  passwordVerifier: z.string().nullable(),
});

export type PersonIdentity = z.infer<typeof personIdentitySchema>;

/** The blob group of a person's private bytes; the owner is the person's key. */
export const PERSON_BLOB_GROUP = 'person';
