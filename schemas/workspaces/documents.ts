import { z } from 'zod';
import { sha256Schema } from '../base/digest.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { epochMsSchema } from '../base/time.ts';
import { planSchema, productSchema, storedWorkspaceStateSchema } from './lifecycle.ts';

/** Who the caller says it is (specification 2.6): a declaration, not a proof. */
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

/** Root document of the table `workspaces`. The aggregate's id is the installation's. */
export const workspaceDocumentSchema = z.strictObject({
  name: nameSchema,
  cohort: cohortSchema,
  products: z.array(productSchema),
  state: storedWorkspaceStateSchema,
  plan: planSchema,
  createdAt: epochMsSchema,
  /** The end of the preview, or null once claimed. */
  expiresAt: epochMsSchema.nullable(),
  claimedAt: epochMsSchema.nullable(),
  /** SHA-256 of the provision token, or null once the token has ended. */
  provisionDigest: sha256Schema.nullable(),
  claimLink: claimLinkSchema.nullable(),
  attachment: attachmentSchema.nullable(),
});

export type WorkspaceDocument = z.infer<typeof workspaceDocumentSchema>;

/** Row kind `credential`, id: the credential's. A bearer secret of the project (`svc_project_…`). */
export const credentialDocumentSchema = z.strictObject({
  digest: sha256Schema,
  /** Which secret of this credential it is, from 1: what its derivation takes (design rule 10). */
  number: z.int().positive(),
  lastFour: z.string().length(4),
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
