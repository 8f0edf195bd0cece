import { z } from 'zod';
import { activateProductSchema } from '../activate/http.ts';
import { idempotencyKeySchema } from '../base/command.ts';
import { idSchema } from '../base/ids.ts';
import { nameSchema } from '../base/name.ts';
import { pageLimitSchema } from '../base/paging.ts';
import { secretSchema } from '../base/secrets.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { wireForms } from '../base/wire.ts';
import { importProductSchema } from '../imports/http.ts';
import { verifiedKindSchema } from './claim-evidence.ts';
import { cohortSchema } from './documents.ts';
import { planSchema, productSchema, workspaceStateSchema } from './lifecycle.ts';

const count = z.int().nonnegative();
const CONFIRM_CHARACTERS_MAX = 200;

const summaryFields = {
  workspaceId: idSchema('workspace'),
  installationId: idSchema('installation'),
  name: nameSchema,
  cohort: cohortSchema,
  products: z.array(productSchema),
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
  /** Opt-ins, each once. */
  products: z
    .array(productSchema)
    .max(productSchema.options.length)
    .refine((products) => new Set(products).size === products.length, 'expected every product once')
    .meta({ uniqueItems: true })
    .optional(),
  /** Made and kept by the caller before the request, so that one whose answer was lost can be repeated. */
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
  /** Of the products that the workspace opted into, and that have any. */
  limits: z.strictObject({
    svcimport: importProductSchema.shape.limits.optional(),
    svcactivate: activateProductSchema.shape.limits.optional(),
  }),
});

/** POST `/v1/agent/workspace/claim-link`. */
export const claimLinkRequestSchema = z.strictObject({ provisionToken: secretSchema('provision') });

export const claimLinkAnswerSchema = z.strictObject({
  /** The code is in the fragment, which browsers send to nobody. */
  claimUrl: z.url(),
  confirmCode: z.string(),
  expiresAt: isoTimeSchema,
});

/** What was ever made inside of a workspace, as counts that a person understands. */
export const inventorySchema = z.strictObject({
  importSchemas: count,
  imports: count,
  checklists: count,
  enrollments: count,
});

export type Inventory = z.infer<typeof inventorySchema>;

/** Something that worked, seen by the service itself: what a claim takes (infra/docs/reference/workspaces.md#claiming). */
export const verifiedResultSchema = z.strictObject({
  kind: verifiedKindSchema,
  id: z.string(),
  /** When what it is about came in. */
  at: isoTimeSchema,
});

export type VerifiedResult = z.infer<typeof verifiedResultSchema>;

/** A project credential as its owner sees it. */
export const credentialAnswerSchema = z.strictObject({
  credentialId: idSchema('credential'),
  /** Null for the one that the workspace was created with. */
  name: nameSchema.nullable(),
  last4: z.string(),
  createdAt: isoTimeSchema,
  /** To the hour. */
  lastUsedAt: isoTimeSchema.nullable(),
  /** Until when the secret before the last rotation goes on, or null. */
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
  /** Whether it could be claimed now, and a sentence why not. */
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

/** POST `…/claim`, `…/pause`, `…/resume`: what they are about is in the path. */
export const workspaceChangeRequestSchema = z.strictObject({});

/** POST `…/disconnect` and `…/erase`, which cannot be undone. */
export const confirmedChangeRequestSchema = z.strictObject({
  /** The workspace's name, typed by whoever means it. */
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
  /** How long the secret before this one goes on. */
  overlapHours: z
    .int()
    .nonnegative()
    .register(wireForms, { maximum: ({ workspace }) => workspace.rotationOverlapHoursMax }),
});

/** The only answer that ever shows the secret, and the same again for the same idempotency key. */
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
