import { z } from 'zod';
import { idSchema, importIdSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { importStatusSchema } from '../imports/http.ts';
import { productSchema } from '../products.ts';
import { summaryFields, usedLimitsSchema } from './http.ts';
import { workspaceStateSchema } from './lifecycle.ts';

const count = z.int().nonnegative();

/**
 * The first thing in a workspace that waits for a person: a pause, an import in which every row is valid, an approved import that no
 * capability can pull, an import with invalid rows, or a preview that can be claimed.
 */
export const nextActionSchema = z.strictObject({
  kind: z.enum(['resume', 'approve_import', 'create_capability', 'correct_import', 'claim']),
  /** The import and its schema; null unless the action is about an import. */
  importId: importIdSchema.nullable(),
  schemaId: idSchema('schema').nullable(),
  schemaName: z.string().nullable(),
  /** All rows to approve, the approved rows, the invalid rows to correct, the verified results that a claim can rest on; 0 for `resume`. */
  count,
  /** The time from which it waits, where that is known. */
  since: isoTimeSchema.nullable(),
});

export type NextAction = z.infer<typeof nextActionSchema>;

/** The members of a workspace that tell what happens in it. */
const overviewFields = {
  /** The time of the latest accepted event, reserved import or submission, or null. */
  lastActivityAt: isoTimeSchema.nullable(),
  /** Null if nothing waits for a person. */
  next: nextActionSchema.nullable(),
};

/** GET `/v1/console/workspace-overviews`: the workspaces of the list, each with what happens in it. */
export const overviewListSchema = z.strictObject({
  workspaces: z.array(z.strictObject({ ...summaryFields, ...overviewFields })),
  nextCursor: z.string().nullable(),
});

/** The hours that the activity of a workspace shows. Products keep counts of more hours. */
export const ACTIVITY_HOURS = 24;

/** The counts by hour of the products of a workspace. */
export const activitySchema = z.strictObject({
  /** The beginning of the first hour. */
  from: isoTimeSchema,
  products: z.array(
    z.strictObject({
      product: productSchema,
      /** The accepted events, reserved imports or submissions of each hour, the current hour last. */
      hours: z.array(count).length(ACTIVITY_HOURS),
    }),
  ),
});

/** GET `/v1/console/workspaces/{workspaceId}/overview`. */
export const overviewSchema = z.strictObject({
  ...overviewFields,
  attachedBy: idSchema('user'),
  claimedBy: idSchema('user').nullable(),
  activity: activitySchema,
  limits: usedLimitsSchema(),
});

/** A configured resource of a workspace. */
export const namedResourceSchema = z.strictObject({
  kind: z.enum(['checklist', 'schema']),
  id: z.string(),
  name: z.string(),
  allowedOrigins: z.array(originSchema),
});

/** POST `/v1/console/claims/details`: what a person sees beside the inspection. */
export const claimDetailsSchema = z.strictObject({
  workspaceId: idSchema('workspace'),
  /** True if the link has attached the workspace to this organization. */
  attached: z.boolean(),
  /** The end of the link; null if it was used. */
  linkExpiresAt: isoTimeSchema.nullable(),
  /** The number of wrong confirm codes that end the link; null if it was used. */
  attemptsLeft: z.int().positive().nullable(),
  resources: z.array(namedResourceSchema),
  limits: usedLimitsSchema(),
  /** The claimed workspaces of the organization, and how many it may have. */
  claimed: z.strictObject({ used: count, limit: count }),
});

/** The matches of one search. */
export const MATCHES_MAX = 20;

const TEXT_CHARACTERS_MAX = 120;

/** GET `/v1/console/search`. */
export const searchQuerySchema = z.strictObject({
  /** A part of a name, or an id. */
  text: textSchema({ min: 1, max: TEXT_CHARACTERS_MAX }),
});

/** The kinds of resources that a search finds, in the order of its answer. */
const matchKindSchema = z.enum([
  'workspace',
  'key',
  'checklist',
  'schema',
  'import',
  'widget',
  'origin',
  'suite',
  'run',
]);

export type MatchKind = z.infer<typeof matchKindSchema>;

export const MATCH_KINDS = matchKindSchema.options;

/** A resource that a search found. */
export const matchSchema = z.strictObject({
  kind: matchKindSchema,
  id: z.string(),
  /** Its name; of an import, the name of its schema; of a feedback widget, its origin; of a run, the name of its suite. */
  name: z.string(),
  /** The workspace that it is in; null for a key. */
  workspaceId: idSchema('workspace').nullable(),
  workspaceName: z.string().nullable(),
  /** The state of that workspace, or null. */
  workspaceState: workspaceStateSchema.nullable(),
  /** Null unless it is an import. */
  importState: importStatusSchema.shape.status.nullable(),
  /** The current revision of a checklist or schema; null for others. */
  revision: z.int().positive().nullable(),
  createdAt: isoTimeSchema,
});

export type Match = z.infer<typeof matchSchema>;

export const searchAnswerSchema = z.strictObject({
  /** Newest first within each kind, in the order of the kinds. */
  matches: z.array(matchSchema).max(MATCHES_MAX),
  /** True if there is more than the search has looked at, or than the answer has. */
  more: z.boolean(),
});
