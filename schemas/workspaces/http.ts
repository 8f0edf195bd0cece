import { z } from 'zod';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { secretSchema } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';
import { type AnyProduct, mapCounters, optInSchema, PRODUCTS } from '../products.ts';
import { verifiedKindSchema } from './claim-evidence.ts';
import { cohortSchema } from './documents.ts';
import { planSchema, workspaceStateSchema } from './lifecycle.ts';

const count = z.int().nonnegative();
const CONFIRM_CHARACTERS_MAX = 200;

/** The members of a workspace in lists. */
export const summaryFields = {
  workspaceId: idSchema('workspace'),
  installationId: idSchema('installation'),
  name: nameSchema,
  cohort: cohortSchema,
  products: z.array(optInSchema),
  state: workspaceStateSchema,
  plan: planSchema,
  expiresAt: isoTimeSchema.nullable(),
};

const workspaceFields = {
  ...summaryFields,
  createdAt: isoTimeSchema,
  /** The address where an owner opens the workspace. */
  console: z.url(),
};

/** POST `/v1/agent/workspaces`. */
export const createWorkspaceRequestSchema = z.strictObject({
  name: nameSchema,
  cohort: cohortSchema,
  /** Opt-in products, each at most once. */
  products: z
    .array(optInSchema)
    .max(optInSchema.options.length)
    .refine((products) => new Set(products).size === products.length, 'expected every product once')
    .meta({ uniqueItems: true })
    .optional(),
  /** The caller makes and stores it before the request, so that it can repeat a request whose answer was lost. */
  provisionToken: secretSchema('provision').optional(),
});

export const createdWorkspaceSchema = z.strictObject({
  ...workspaceFields,
  provisionToken: secretSchema('provision'),
  credential: secretSchema('project'),
});

/** GET `/v1/agent/workspace`. */
export const agentWorkspaceSchema = z.strictObject({
  ...workspaceFields,
  activation: z.strictObject({
    attachedAt: isoTimeSchema.nullable(),
    claimedAt: isoTimeSchema.nullable(),
  }),
  /** Limits of the workspace's products. */
  limits: usedLimitsSchema(),
});

/** The used limits of each product, by its name. */
export function usedLimitsSchema() {
  const limits = PRODUCTS.map(({ name, usedLimits }) => [name, usedLimits.optional()]);
  return z.strictObject(
    Object.fromEntries(limits) as {
      readonly [Each in AnyProduct as Each['name']]: z.ZodOptional<Each['usedLimits']>;
    },
  );
}

/** POST `/v1/agent/workspace/claim-link`. */
export const claimLinkRequestSchema = z.strictObject({ provisionToken: secretSchema('provision') });

export const claimLinkAnswerSchema = z.strictObject({
  /** The code is in the fragment, which browsers send to no server. */
  claimUrl: z.url(),
  confirmCode: z.string(),
  expiresAt: isoTimeSchema,
});

/** The number of resources that were ever created in a workspace, by kind. */
export const inventorySchema = z.strictObject(mapCounters(() => count));

export type Inventory = z.infer<typeof inventorySchema>;

/** A result that the service has verified itself. A claim needs one (infra/docs/reference/workspaces.md#claiming). */
export const verifiedResultSchema = z.strictObject({
  kind: verifiedKindSchema,
  id: z.string(),
  /** The time of the upload or of the event. */
  at: isoTimeSchema,
});

export type VerifiedResult = z.infer<typeof verifiedResultSchema>;

/** A project credential as its owner sees it. */
export const credentialAnswerSchema = z.strictObject({
  credentialId: idSchema('credential'),
  /** Null for the credential of the creation. */
  name: nameSchema.nullable(),
  last4: z.string(),
  createdAt: isoTimeSchema,
  /** Exact to the hour. */
  lastUsedAt: isoTimeSchema.nullable(),
  /** The end of the overlap in which the previous secret is valid, or null. */
  overlapEndsAt: isoTimeSchema.nullable(),
});

export type CredentialAnswer = z.infer<typeof credentialAnswerSchema>;

const contentFields = {
  inventory: inventorySchema,
  results: z.array(verifiedResultSchema),
  credentials: z.array(credentialAnswerSchema),
};

const claimCode = { code: secretSchema('claim') };

/** POST `/v1/console/claims/inspect`. */
export const inspectClaimRequestSchema = z.strictObject(claimCode);

export const claimInspectionSchema = z.strictObject({
  workspaceId: idSchema('workspace'),
  name: nameSchema,
  cohort: cohortSchema,
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema.nullable(),
  ...contentFields,
  /** True if the workspace can be claimed now; else `reason` says why not. */
  claimable: z.boolean(),
  reason: z.string().nullable(),
});

/** POST `/v1/console/claims/attach`. */
export const attachClaimRequestSchema = z.strictObject({
  ...claimCode,
  confirm: z
    .string()
    .regex(
      /^[A-HJ-NP-Za-hj-np-z2-9]{4}$/,
      'expected the four letters and digits shown together with the link',
    ),
});

/** A workspace as its owner sees it: GET `/v1/console/workspaces/{workspaceId}`. */
export const consoleWorkspaceSchema = z.strictObject({
  ...workspaceFields,
  organizationId: idSchema('organization'),
  attachedAt: isoTimeSchema,
  claimedAt: isoTimeSchema.nullable(),
  ...contentFields,
});

/** POST `…/claim`, `…/pause`, `…/resume`. The path names the workspace. */
export const workspaceChangeRequestSchema = z.strictObject({});

/** POST `…/disconnect` and `…/erase`, which cannot be undone. */
export const confirmedChangeRequestSchema = z.strictObject({
  /** The name of the workspace. */
  confirm: textSchema({ min: 1, max: CONFIRM_CHARACTERS_MAX }),
});

/** POST `…/credentials`. */
export const createCredentialRequestSchema = z.strictObject({
  idempotencyKey: idempotencyKeySchema,
  name: nameSchema,
});

/** POST `…/credentials/{credentialId}/rotate`. */
export const rotateCredentialRequestSchema = z.strictObject({
  idempotencyKey: idempotencyKeySchema,
  /** Hours for which the previous secret stays valid. */
  overlapHours: z.int().nonnegative().register(wireForms, { maximum: 'workspace.rotationOverlapHoursMax' }),
});

/** The only answer with the secret. A repeat with the same idempotency key gets the same answer. */
export const madeCredentialSchema = z.strictObject({
  credentialId: idSchema('credential'),
  credential: secretSchema('project'),
});

/** The path parameters of one credential. */
export const credentialParamsSchema = z.strictObject({
  workspaceId: idSchema('workspace'),
  credentialId: idSchema('credential'),
});

/** GET `/v1/console/workspaces`: newest first. */
export const listWorkspacesQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^[0-9]{15}:wks_[a-z2-7]{24}$/, 'expected the nextCursor of the page before')
    .optional(),
  limit: pageLimitSchema,
});

export const workspaceListSchema = z.strictObject({
  workspaces: z.array(z.strictObject(summaryFields)),
  nextCursor: z.string().nullable(),
});

/** The path parameter of every route under `/v1/console/workspaces/{workspaceId}`. */
export const workspaceParamsSchema = z.strictObject({ workspaceId: idSchema('workspace') });

const endpointSchema = z.strictObject({
  method: z.string(),
  path: z.string(),
  host: z.string(),
  auth: z.string(),
});

const planNumbersSchema = z.record(z.string(), z.number());

/** GET `/v1/agent/capabilities`. */
export const capabilitiesSchema = z.strictObject({
  version: z.string(),
  hosts: z.strictObject({
    base: z.url(),
    limiter: z.url(),
    ingest: z.url(),
    console: z.url(),
    dashboard: z.url(),
  }),
  products: z.array(
    z.strictObject({
      name: z.string(),
      optIn: z.boolean(),
      contractVersion: z.string(),
      endpoints: z.array(endpointSchema),
      limits: z.strictObject({ preview: planNumbersSchema, free: planNumbersSchema }),
    }),
  ),
  downloads: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      url: z.url(),
      bytes: count,
      sha256: z.string(),
      integrity: z.string(),
    }),
  ),
  openapi: z.url(),
});

/** A file to download, as the capabilities list it. */
export type Download = z.infer<typeof capabilitiesSchema>['downloads'][number];
