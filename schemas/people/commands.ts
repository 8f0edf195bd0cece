import { z } from 'zod';
import type { CommandOf, CommandSchemas } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';

/** Commands of the topic `people`; the key is the HMAC of the normalised e-mail address. */
export const peopleCommands = {
  /** From the organization that made this person its owner; opens the first session and answers. */
  create: z.strictObject({
    userId: idSchema('user'),
    organizationId: idSchema('organization'),
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  'session-start': z.strictObject({
    /** The blob that the password was verified against: another one by now means another password. */
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  'session-end': z.strictObject({ sessionDigest: sha256Schema }),
} as const satisfies CommandSchemas;

export type PeopleCommand = CommandOf<typeof peopleCommands>;
