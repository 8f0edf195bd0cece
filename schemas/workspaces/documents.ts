import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { claimEvidenceSchema } from './claim-evidence.ts';
import { livingStateSchema, planSchema, productSchema } from './lifecycle.ts';

/** The caller's own declaration of what it is, not a proof. */
export const cohortSchema = z.enum(['external', 'dogfood']);

/** The link with which a person attaches the preview; at most one is open. */
export const claimLinkSchema = z.strictObject({
  /** SHA-256 of the code in the link. */
  digest: sha256Schema,
  expiresAt: epochMsSchema,
  /** Wrong confirm codes that may still be typed before the link ends; never 0 while it is open. */
  attemptsLeft: z.int().positive(),
});

/** The organization that a workspace belongs to, for good. */
export const attachmentSchema = z.strictObject({
  organizationId: idSchema('organization'),
  attachedBy: idSchema('user'),
  attachedAt: epochMsSchema,
  /** The link it came through, so that attaching once more is answered alike. */
  claimDigest: sha256Schema,
});

/** How a workspace left its preview. */
export const claimSchema = z.strictObject({
  claimedBy: idSchema('user'),
  claimedAt: epochMsSchema,
  /** The verified result that the claim rested on. */
  evidence: claimEvidenceSchema,
});

/** A workspace that exists. */
export const workspaceDocumentSchema = z.strictObject({
  name: nameSchema,
  cohort: cohortSchema,
  products: z.array(productSchema),
  state: livingStateSchema,
  plan: planSchema,
  createdAt: epochMsSchema,
  /** The end of the preview, or null once claimed. */
  expiresAt: epochMsSchema.nullable(),
  claim: claimSchema.nullable(),
  /** SHA-256 of the provision token, or null once the token has ended. */
  provisionDigest: sha256Schema.nullable(),
  claimLink: claimLinkSchema.nullable(),
  attachment: attachmentSchema.nullable(),
  /** The credential that came with the workspace, or null once it is revoked. */
  firstCredentialId: idSchema('credential').nullable(),
  /** Those that an owner added and has not revoked, oldest first; a handful by limit. */
  extraCredentialIds: z.array(idSchema('credential')),
});

export type WorkspaceDocument = z.infer<typeof workspaceDocumentSchema>;

/** What is left of a workspace: that it was erased, and whom it belonged to, so that they learn it. */
export const erasedWorkspaceSchema = z.strictObject({
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
  /** What its owner calls it; null for the one that came with the workspace. */
  name: nameSchema.nullable(),
  digest: sha256Schema,
  /** Which secret of this credential it is, from 1: what its derivation takes (infra/docs/decisions/0019-derived-secrets.md). */
  number: z.int().positive(),
  lastFour: z.string().length(4),
  /** The secret before the last rotation, while both hold. */
  previous: z.strictObject({ digest: sha256Schema, endsAt: epochMsSchema }).nullable(),
  createdAt: epochMsSchema,
  revokedAt: epochMsSchema.nullable(),
  lastUsedAt: epochMsSchema.nullable(),
});

export type CredentialDocument = z.infer<typeof credentialDocumentSchema>;

export const workspaceRowSchemas = { credential: credentialDocumentSchema } as const;

export type WorkspaceRows = { credential: CredentialDocument };

/** Target of a look-up of kind `credential`. */
export const credentialTargetSchema = z.strictObject({
  installationId: idSchema('installation'),
  credentialId: idSchema('credential'),
});

/** Target of a look-up of kind `claim-code`. */
export const claimCodeTargetSchema = z.strictObject({ installationId: idSchema('installation') });
