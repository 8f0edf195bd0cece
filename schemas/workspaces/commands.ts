import { z } from 'zod';
import type { CommandOf, CommandSchemas } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { cohortSchema } from './documents.ts';
import { productSchema } from './lifecycle.ts';

/** Commands of the topic `workspaces`; the key is the installation. */
export const workspacesCommands = {
  create: z.strictObject({
    name: nameSchema,
    cohort: cohortSchema,
    products: z.array(productSchema),
    provisionDigest: sha256Schema,
    credential: z.strictObject({
      credentialId: idSchema('credential'),
      number: z.int().positive(),
      digest: sha256Schema,
      lastFour: z.string().length(4),
    }),
  }),
  'claim-link': z.strictObject({
    /** SHA-256 of the provision token that the caller presents. */
    provisionDigest: sha256Schema,
    /** SHA-256 of the new link's code. */
    claimDigest: sha256Schema,
  }),
  /** From the organization that reserved the attachment; answers the person who asked. */
  attach: z.strictObject({
    organizationId: idSchema('organization'),
    userId: idSchema('user'),
    claimDigest: sha256Schema,
    /** Whether the confirm code that was typed is the link's. */
    confirmed: z.boolean(),
  }),
} as const satisfies CommandSchemas;

export type WorkspacesCommand = CommandOf<typeof workspacesCommands>;
