import { z } from 'zod';
import { type CommandOf, undeclaredResults } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { claimEvidenceSchema } from './claim-evidence.ts';
import { cohortSchema } from './documents.ts';
import { productSchema } from './lifecycle.ts';

/** A secret as commands know it. */
const secretFields = {
  credentialId: idSchema('credential'),
  number: z.int().positive(),
  digest: sha256Schema,
  lastFour: z.string().length(4),
};

/** Commands of the topic `workspaces`; the key is the installation. */
export const workspacesCommands = undeclaredResults(
  {
    create: z.strictObject({
      name: nameSchema,
      cohort: cohortSchema,
      products: z.array(productSchema),
      provisionDigest: sha256Schema,
      credential: z.strictObject(secretFields),
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
    /** From the organization that reserved a place; answers the person who asked. */
    claim: z.strictObject({
      organizationId: idSchema('organization'),
      userId: idSchema('user'),
      evidence: claimEvidenceSchema,
    }),
    pause: z.strictObject({}),
    resume: z.strictObject({}),
    disconnect: z.strictObject({}),
    /** From the organization, for one of its owners, who is answered. */
    erase: z.strictObject({ organizationId: idSchema('organization') }),
    'erase-rows': eraseRowsSchema,
    'create-credential': z.strictObject({ name: nameSchema, ...secretFields }),
    /** The next secret of a credential; the one before holds on for `overlapMs`. */
    'rotate-credential': z.strictObject({ ...secretFields, overlapMs: z.int().nonnegative() }),
    'revoke-credential': z.strictObject({ credentialId: idSchema('credential') }),
    /** A credential was used: sent at most once an hour by each gateway, and nobody waits for it. */
    'credential-used': z.strictObject({ credentialId: idSchema('credential') }),
  },
  'create',
);

export type WorkspacesCommand = CommandOf<typeof workspacesCommands>;
