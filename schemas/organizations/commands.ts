import { z } from 'zod';
import type { CommandOf, CommandSchemas } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';

/** Commands of the topic `organizations`; the key is the organization. */
export const organizationsCommands = {
  /** Makes the first organization and its owner; the person's fold answers. */
  'set-up': z.strictObject({
    name: nameSchema,
    personKey: sha256Schema,
    userId: idSchema('user'),
    /** Names the blob that holds the owner's e-mail address and password verifier. */
    identityBlob: z.string().min(1).max(80),
    sessionDigest: sha256Schema,
  }),
  /** The person could not be made. */
  'set-up-released': z.strictObject({ userId: idSchema('user') }),
  /** A member asks for a workspace; the workspace's fold answers. */
  attach: z.strictObject({
    installationId: idSchema('installation'),
    claimDigest: sha256Schema,
    confirmed: z.boolean(),
  }),
  'attachment-confirmed': z.strictObject({ workspaceId: idSchema('workspace') }),
  'attachment-released': z.strictObject({ workspaceId: idSchema('workspace') }),
} as const satisfies CommandSchemas;

export type OrganizationsCommand = CommandOf<typeof organizationsCommands>;
