import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { epochMsSchema } from '../base/time.ts';
import { mailIdSchema } from '../mail/documents.ts';
import { browserNameSchema } from './browser-name.ts';

/** The keyed hash of the caller's network address, as counters have it. */
const addressDigestSchema = z.string().min(1).max(60);

/** The name of the blob with a person's private data. */
const identityName = z.string().min(1).max(80);

/** The result of commands that make a person or sign one in. */
const signedIn = z.strictObject({ userId: idSchema('user') });

/** The browser of the session that a command opens. */
const browser = browserNameSchema.optional();

/** The move of a person to another address. */
const addressChange = z.strictObject({
  personKey: sha256Schema,
  userId: idSchema('user'),
  /** The identity that the password was verified against, and the one that was written for this address. */
  from: identityName,
  to: identityName,
  /** The session of the request, and the session that replaces it. */
  sessionDigest: sha256Schema,
  nextSessionDigest: sha256Schema,
  browser,
});

/** Commands of the topic `people`; the key is the HMAC of the normalised e-mail address. */
export const peopleCommands = {
  /** From the organization that made this person its owner; opens the first session and answers. */
  create: {
    input: z.strictObject({
      userId: idSchema('user'),
      organizationId: idSchema('organization'),
      identityBlob: identityName,
      sessionDigest: sha256Schema,
      browser,
    }),
    result: signedIn,
  },
  /** The gateway is about to write this blob. The sweep removes it unless the person has it by then. */
  'announce-identity': {
    input: z.strictObject({ identityBlob: identityName }),
    result: noResult,
  },
  /** From the sweep: removes an announced blob that no person has. */
  'tidy-identity': { input: z.strictObject({ identityBlob: identityName }), result: noResult },
  'session-start': {
    input: z.strictObject({
      /** The blob that the password was verified against: another one by now means another password. */
      identityBlob: identityName,
      /** The blob that replaces it, of a person whom an identity provider knows by another address now; absent: it stays. */
      nextIdentityBlob: identityName.optional(),
      sessionDigest: sha256Schema,
      browser,
      /** True if a person without an organization may sign in, to accept an invitation. */
      mayBelongNowhere: z.boolean(),
      address: addressDigestSchema.optional(),
      /** The organization that the session acts for; absent: the one that the person joined first. */
      organizationId: idSchema('organization').optional(),
    }),
    result: signedIn,
  },
  /** Creates a person from an identity provider, without an organization. */
  enroll: {
    input: z.strictObject({
      userId: idSchema('user'),
      identityBlob: identityName,
      sessionDigest: sha256Schema,
      browser,
    }),
    result: signedIn,
  },
  'session-end': { input: z.strictObject({ sessionDigest: sha256Schema }), result: noResult },
  'session-switch': {
    input: z.strictObject({
      sessionDigest: sha256Schema,
      organizationId: idSchema('organization'),
    }),
    result: noResult,
  },
  /** From the organization whose invitation this person took up; opens a session there and answers. */
  join: {
    input: z.strictObject({
      invitationId: idSchema('invitation'),
      organizationId: idSchema('organization'),
      userId: idSchema('user'),
      identityBlob: identityName,
      isNew: z.boolean(),
      sessionDigest: sha256Schema,
      browser,
    }),
    result: z.strictObject({ userId: idSchema('user'), isNew: z.boolean() }),
  },
  /** From an organization that removed this person. */
  leave: { input: z.strictObject({ organizationId: idSchema('organization') }), result: noResult },
  'change-password': {
    input: z.strictObject({
      /** The identity that the current password was verified against. */
      from: identityName,
      to: identityName,
      /** The session that continues; all others end. */
      sessionDigest: sha256Schema,
    }),
    result: noResult,
  },
  /** A person wants to move to this address; the person's own aggregate decides. */
  'reserve-address': {
    input: addressChange,
    result: noResult,
  },
  /** From the address that is reserved; the person leaves this one. */
  'change-email': {
    input: addressChange,
    result: noResult,
  },
  /** From the person's former address: it could not leave. */
  'address-released': {
    input: z.strictObject({ identityBlob: identityName }),
    result: noResult,
  },
  /** From the person's former address: what the person takes along. */
  'move-in': {
    input: z.strictObject({
      userId: idSchema('user'),
      createdAt: epochMsSchema,
      lastSeenAt: epochMsSchema.nullable(),
      organizationIds: z.array(idSchema('organization')),
      organizationId: idSchema('organization').nullable(),
      sessionDigest: sha256Schema,
      browser,
    }),
    result: noResult,
  },
  /** Erases the person, if every organization can do without. */
  'erase-person': {
    input: z.strictObject({
      /** The identity that the password was verified against. */
      from: identityName,
    }),
    result: noResult,
  },
  /** From an organization that has let a person go who is being erased. */
  'member-erased': { input: z.strictObject({ organizationId: idSchema('organization') }), result: noResult },
  /** From an organization whose owner offers this person a new password; answers. */
  'offer-reset': {
    input: z.strictObject({
      organizationId: idSchema('organization'),
      /**
       * True if that organization operates the service, and so may offer the link to members of other organizations.
       */
      operator: z.boolean(),
      codeDigest: sha256Schema,
    }),
    result: z.strictObject({ digest: sha256Schema, expiresAt: epochMsSchema }),
  },
  /** From the outbox: this person, if there is one, gets a new password by a link in a mail. */
  'offer-mailed-reset': {
    input: z.strictObject({ mailId: mailIdSchema, codeDigest: sha256Schema }),
    result: noResult,
  },
  'reset-password': {
    input: z.strictObject({
      codeDigest: sha256Schema,
      to: identityName,
      address: addressDigestSchema.optional(),
    }),
    result: noResult,
  },
  /** A wrong password was used to sign in as this person: recorded in the audit log. */
  'sign-in-refused': { input: z.strictObject({ address: addressDigestSchema }), result: noResult },
  /** The person used the console. Each gateway sends it at most once an hour and does not wait for it. */
  seen: { input: z.strictObject({}), result: noResult },
} as const satisfies CommandTable;
