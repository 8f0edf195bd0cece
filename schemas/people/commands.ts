import { z } from 'zod';
import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema } from '../base/time.ts';

/** The keyed hash of the caller's network address, as counters have it. */
const addressDigestSchema = z.string().min(1).max(60);

/** Commands of the topic `people`; the key is the HMAC of the normalised e-mail address. */
export const peopleCommands = undeclaredResults({
  /** From the organization that made this person its owner; opens the first session and answers. */
  create: z.strictObject({
    userId: idSchema('user'),
    organizationId: idSchema('organization'),
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  /** The gateway is about to write this blob. The sweep removes it unless the person has it by then. */
  'announce-identity': z.strictObject({ identityBlob: z.string().min(1).max(80) }),
  /** From the sweep: removes an announced blob that no person has. */
  'tidy-identity': z.strictObject({ identityBlob: z.string().min(1).max(80) }),
  'session-start': z.strictObject({
    /** The blob that the password was verified against: another one by now means another password. */
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
    /** Whether somebody without an organization may sign in, to accept an invitation. */
    mayBelongNowhere: z.boolean(),
    address: addressDigestSchema.optional(),
    /** The organization that the session acts for; absent: the one that the person joined first. */
    organizationId: idSchema('organization').optional(),
  }),
  /** Somebody new from an identity provider, without an organization. */
  enroll: z.strictObject({
    userId: idSchema('user'),
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  'session-end': z.strictObject({ sessionDigest: sha256Schema }),
  'session-switch': z.strictObject({
    sessionDigest: sha256Schema,
    organizationId: idSchema('organization'),
  }),
  /** From the organization whose invitation this person took up; opens a session there and answers. */
  join: z.strictObject({
    invitationId: idSchema('invitation'),
    organizationId: idSchema('organization'),
    userId: idSchema('user'),
    identityBlob: z.string().min(1).max(80),
    isNew: z.boolean(),
    sessionDigest: sha256Schema,
  }),
  /** From an organization that removed this person. */
  leave: z.strictObject({ organizationId: idSchema('organization') }),
  'change-password': z.strictObject({
    /** The identity that the current password was verified against. */
    from: z.string().min(1).max(80),
    to: z.string().min(1).max(80),
    /** The session that goes on; all others end. */
    sessionDigest: sha256Schema,
  }),
  /** A person wants to move to this address; the person's own aggregate decides. */
  'reserve-address': z.strictObject({
    personKey: sha256Schema,
    userId: idSchema('user'),
    /** The identity that the password was verified against, and the one that was written for this address. */
    from: z.string().min(1).max(80),
    to: z.string().min(1).max(80),
    /** The session that asks, and the one that is to go on in its place. */
    sessionDigest: sha256Schema,
    nextSessionDigest: sha256Schema,
  }),
  /** From the address that is reserved; the person leaves this one. */
  'change-email': z.strictObject({
    personKey: sha256Schema,
    userId: idSchema('user'),
    from: z.string().min(1).max(80),
    to: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
    nextSessionDigest: sha256Schema,
  }),
  /** From the person's former address: it could not leave. */
  'address-released': z.strictObject({ identityBlob: z.string().min(1).max(80) }),
  /** From the person's former address: what the person takes along. */
  'move-in': z.strictObject({
    userId: idSchema('user'),
    createdAt: epochMsSchema,
    lastSeenAt: epochMsSchema.nullable(),
    organizationIds: z.array(idSchema('organization')),
    organizationId: idSchema('organization').nullable(),
    sessionDigest: sha256Schema,
  }),
  /** Erases the person, if every organization can do without. */
  'erase-person': z.strictObject({
    /** The identity that the password was verified against. */
    from: z.string().min(1).max(80),
  }),
  /** From an organization that has let a person go who is being erased. */
  'member-erased': z.strictObject({ organizationId: idSchema('organization') }),
  /** From an organization whose owner offers this person a new password; answers. */
  'offer-reset': z.strictObject({
    organizationId: idSchema('organization'),
    /** Whether that organization operates the service, and so may do it for members of others. */
    operator: z.boolean(),
    codeDigest: sha256Schema,
  }),
  'reset-password': z.strictObject({
    codeDigest: sha256Schema,
    to: z.string().min(1).max(80),
    address: addressDigestSchema.optional(),
  }),
  /** Somebody tried to sign in as this person with a wrong password: for the audit log. */
  'sign-in-refused': z.strictObject({ address: addressDigestSchema }),
  /** The person was in the console: sent at most once an hour by each gateway, and nobody waits for it. */
  seen: z.strictObject({}),
});

export type PeopleCommand = CommandOf<typeof peopleCommands>;
