import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { optInSchema } from '../products.ts';
import { claimEvidenceSchema } from './claim-evidence.ts';
import { livingStateSchema, planSchema } from './lifecycle.ts';

/** The origin of a workspace, as its creator declares it. It proves nothing. */
export const cohortSchema = z.enum(['external', 'dogfood']).meta({
  id: 'WorkspaceCohort',
  description: '`dogfood` for projects of the operator, `external` for all others.',
});

/**
 * A keyed digest that stands for the address from which a preview was created: the same for the same IPv4 address or IPv6 /64.
 */
export const creatorSchema = z.string().regex(/^[A-Za-z0-9_-]{16}$/);

/** The link with which a person attaches the preview. At most one is open. */
const claimLinkSchema = z.strictObject({
  /** SHA-256 of the code in the link. */
  digest: sha256Schema,
  expiresAt: epochMsSchema,
  /** The number of wrong confirm codes that end the link. It is never 0 while the link is open. */
  attemptsLeft: z.int().positive(),
});

/** The organization of a workspace. It never changes. */
const attachmentSchema = z.strictObject({
  organizationId: idSchema('organization'),
  attachedBy: idSchema('user'),
  attachedAt: epochMsSchema,
  /** SHA-256 of the code of the link that attached the workspace. A repeat with it gets the same answer. */
  claimDigest: sha256Schema,
});

/** The claim that ended the preview. */
const claimSchema = z.strictObject({
  claimedBy: idSchema('user'),
  claimedAt: epochMsSchema,
  /** The verified result that the claim rests on. */
  evidence: claimEvidenceSchema,
});

/** A workspace that exists. */
const workspaceDocumentSchema = z.strictObject({
  name: nameSchema,
  cohort: cohortSchema,
  products: z.array(optInSchema),
  state: livingStateSchema,
  plan: planSchema,
  createdAt: epochMsSchema,
  /** The end of the preview, or null once claimed. */
  expiresAt: epochMsSchema.nullable(),
  claim: claimSchema.nullable(),
  /** SHA-256 of the provision token, or null after the token's end. */
  provisionDigest: sha256Schema.nullable(),
  /** The creator of a preview; absent once claimed, and in what was stored before this was kept. */
  creator: creatorSchema.optional(),
  claimLink: claimLinkSchema.nullable(),
  attachment: attachmentSchema.nullable(),
  /** The credential of the creation, or null after its revocation. */
  firstCredentialId: idSchema('credential').nullable(),
  /** Live credentials that an owner added, oldest first. The limit `extraCredentials` bounds their number. */
  extraCredentialIds: z.array(idSchema('credential')),
});

export type WorkspaceDocument = z.infer<typeof workspaceDocumentSchema>;

/** The mark of an erased workspace. The members of its organization learn of the erasure. */
const erasedWorkspaceSchema = z.strictObject({
  state: z.literal('erased'),
  erasedAt: epochMsSchema,
  organizationId: idSchema('organization'),
});

export type ErasedWorkspace = z.infer<typeof erasedWorkspaceSchema>;

/** Root document of the table `workspaces`. The aggregate's id is the installation's. */
export const workspaceRootSchema = z.discriminatedUnion('state', [
  workspaceDocumentSchema,
  erasedWorkspaceSchema,
]);

export type WorkspaceRoot = z.infer<typeof workspaceRootSchema>;

/** Row kind `credential`, id: the credential's. A bearer secret of the project (`svc_project_…`). */
export const credentialDocumentSchema = z.strictObject({
  /** The name that an owner gave it; null for the credential of the creation. */
  name: nameSchema.nullable(),
  digest: sha256Schema,
  /** The number of the current secret, from 1. Secrets derive from it (infra/docs/decisions/0019-derived-secrets.md). */
  number: z.int().positive(),
  lastFour: z.string().length(4),
  /** The secret before the last rotation, and the end of its overlap. */
  previous: z.strictObject({ digest: sha256Schema, endsAt: epochMsSchema }).nullable(),
  createdAt: epochMsSchema,
  revokedAt: epochMsSchema.nullable(),
  lastUsedAt: epochMsSchema.nullable(),
});

export type CredentialDocument = z.infer<typeof credentialDocumentSchema>;

export const workspaceRowSchemas = { credential: credentialDocumentSchema } as const;

export type WorkspaceRows = { credential: CredentialDocument };

/** Target of an index entry of kind `credential`. */
export const credentialTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  credentialId: idSchema('credential'),
});

/** Target of an index entry of kind `claim-code`. */
export const claimCodeTargetSchema = z.strictObject({ installationId: idSchema('installation') });
