import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { eraseRowsSchema } from '../base/erasure.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { optInSchema } from '../products.ts';
import { claimEvidenceSchema } from './claim-evidence.ts';
import { cohortSchema, creatorSchema } from './documents.ts';

const credentialId = idSchema('credential');

/** The members that a repeated request needs to derive its secret again. */
const derivableSecret = { credentialId, number: z.int().positive(), digest: sha256Schema };

/** A secret as commands carry it. */
const secretFields = { ...derivableSecret, lastFour: z.string().length(4) };

/** The result of commands that an organization forwards for one of its members. */
const decided = z.strictObject({ workspaceId: idSchema('workspace') });

/** Commands of the topic `workspaces`; the key is the installation. */
export const workspacesCommands = {
  create: {
    input: z.strictObject({
      name: nameSchema,
      cohort: cohortSchema,
      products: z.array(optInSchema),
      provisionDigest: sha256Schema,
      creator: creatorSchema.optional(),
      credential: z.strictObject(secretFields),
    }),
    result: z.strictObject({ createdAt: epochMsSchema, expiresAt: epochMsSchema, ...derivableSecret }),
    decidesRepeats: true,
  },
  'claim-link': {
    input: z.strictObject({
      /** SHA-256 of the provision token that the caller presents. */
      provisionDigest: sha256Schema,
      /** SHA-256 of the new link's code. */
      claimDigest: sha256Schema,
    }),
    result: z.strictObject({ digest: sha256Schema, expiresAt: epochMsSchema }),
  },
  /** From the organization that reserved the attachment; answers the person who asked. */
  attach: {
    input: z.strictObject({
      organizationId: idSchema('organization'),
      userId: idSchema('user'),
      claimDigest: sha256Schema,
      /** True if the person typed the confirm code of the link. */
      confirmed: z.boolean(),
    }),
    result: decided,
  },
  /** From the organization that reserved a place; answers the person who asked. */
  claim: {
    input: z.strictObject({
      organizationId: idSchema('organization'),
      userId: idSchema('user'),
      evidence: claimEvidenceSchema,
    }),
    result: decided,
  },
  pause: { input: z.strictObject({}), result: noResult },
  resume: { input: z.strictObject({}), result: noResult },
  /** From the operator: ends a preview before its time. */
  expire: { input: z.strictObject({}), result: noResult },
  disconnect: { input: z.strictObject({}), result: noResult },
  /** From the organization, for one of its owners; answers that owner. */
  erase: {
    input: z.strictObject({
      organizationId: idSchema('organization'),
      /** True if the organization lists the workspace as attached. It counts if the workspace cannot be read. */
      listed: z.literal(true).optional(),
    }),
    result: decided,
  },
  'erase-rows': { input: eraseRowsSchema, result: noResult },
  'create-credential': {
    input: z.strictObject({ name: nameSchema, ...secretFields }),
    result: z.strictObject(derivableSecret),
  },
  /** The next secret of a credential. The previous secret stays valid for `overlapMs`. */
  'rotate-credential': {
    input: z.strictObject({ ...secretFields, overlapMs: z.int().nonnegative() }),
    result: z.strictObject(derivableSecret),
  },
  'revoke-credential': { input: z.strictObject({ credentialId }), result: noResult },
  /** From a product that has refused a command because it knows nothing of the workspace. */
  'send-lifecycle': { input: z.strictObject({}), result: noResult },
  /** A use of a credential. Each gateway sends at most one an hour, and waits for no outcome. */
  'credential-used': { input: z.strictObject({ credentialId }), result: noResult },
} as const satisfies CommandTable;
