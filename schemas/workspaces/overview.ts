import { z } from 'zod';
import { EXAMPLES } from '../base/examples.ts';
import { exampleId, idSchema, importIdSchema } from '../base/ids.ts';
import { originSchema } from '../base/origin.ts';
import { nextCursorSchema } from '../base/paging.ts';
import { textSchema } from '../base/text.ts';
import { isoTimeSchema } from '../base/time.ts';
import { unreadableMember } from '../base/unreadable.ts';
import { importStateSchema } from '../imports/http.ts';
import { productSchema } from '../products.ts';
import { summaryFields, usedLimitsSchema } from './http.ts';
import { workspaceStateSchema } from './lifecycle.ts';

const count = z.int().nonnegative();

/**
 * The first thing in a workspace that waits for a person: a pause, an import in which every row is valid, an approved import that no
 * capability can pull, an import with invalid rows, or a preview that can be claimed.
 */
const nextActionSchema = z
  .strictObject({
    kind: z.enum(['resume', 'approve_import', 'create_capability', 'correct_import', 'claim']).meta({
      description:
        '`resume` a paused workspace; `approve_import` in which every row is valid; `create_capability` for a schema with an approved import that no backend can pull; `correct_import` with invalid rows; `claim` a preview with verified results.',
      example: 'approve_import',
    }),
    importId: importIdSchema.nullable().describe('The import; null unless the action is about one.'),
    schemaId: idSchema('schema')
      .nullable()
      .describe('Its import schema; null unless the action is about an import.'),
    schemaName: z.string().nullable().meta({
      description: 'The name of its import schema; null unless the action is about an import.',
      example: 'Orders',
    }),
    count: count.meta({
      description: 'The rows to approve, approved or to correct, or the verified results; 0 for `resume`.',
      example: 900,
    }),
    since: isoTimeSchema.nullable().meta({
      description: 'The time from which it waits; null if that is not known.',
      example: EXAMPLES.later,
    }),
  })
  .meta({
    id: 'NextAction',
    description: 'The first item in a workspace that needs a person.',
  });

export type NextAction = z.infer<typeof nextActionSchema>;

/** The members of a workspace that tell what happens in it. */
const overviewFields = {
  lastActivityAt: isoTimeSchema.nullable().meta({
    description:
      'The time of the latest accepted event, reserved import or submission; null before the first.',
    example: EXAMPLES.later,
  }),
  next: nextActionSchema
    .nullable()
    .describe('The first thing that waits for a person; null if nothing does.'),
};

/** GET `/v1/console/workspace-overviews`: the workspaces of the list, each with what happens in it. */
export const overviewListSchema = z
  .strictObject({
    workspaces: z
      .array(
        z
          .strictObject({ ...summaryFields, ...overviewFields })
          .meta({ id: 'ListedWorkspace', description: 'A workspace with what happens in it.' }),
      )
      .describe('The workspaces, newest first.'),
    nextCursor: nextCursorSchema,
    ...unreadableMember,
  })
  .meta({
    id: 'WorkspaceOverviewList',
    description: 'One page of workspaces with what happens in them.',
  });

/** The hours that the activity of a workspace shows. Products keep counts of more hours. */
export const ACTIVITY_HOURS = 24;

/** The counts by hour of the products of a workspace. */
export const activitySchema = z
  .strictObject({
    from: isoTimeSchema.describe('The beginning of the first hour.'),
    products: z.array(
      z
        .strictObject({
          product: productSchema.meta({ example: 'svcactivate' }),
          hours: z
            .array(count)
            .length(ACTIVITY_HOURS)
            .meta({
              description:
                'The accepted events, reserved imports or submissions of each hour, the current hour last.',
              example: Array.from({ length: ACTIVITY_HOURS }, (_, hour) => hour % 3),
            }),
        })
        .meta({ id: 'ProductActivity', description: 'The activity of one product.' }),
    ),
  })
  .meta({
    id: 'WorkspaceActivity',
    description: 'The activity of a workspace in the last 24 hours.',
  });

export const overviewSchema = z
  .strictObject({
    ...overviewFields,
    attachedBy: idSchema('user').describe('The person who attached it.'),
    claimedBy: idSchema('user')
      .nullable()
      .meta({ description: 'The person who claimed it; null before.', example: null }),
    activity: activitySchema.describe('What the products accepted, by hour.'),
    limits: usedLimitsSchema(),
    ...unreadableMember,
  })
  .meta({
    id: 'WorkspaceOverview',
    description: 'The activity of a workspace, and the first thing in it that waits for a person.',
  });

const namedResourceSchema = z
  .strictObject({
    kind: z
      .enum(['checklist', 'schema'])
      .meta({ description: 'A checklist or an import schema.', example: 'schema' }),
    id: z.string().meta({
      description: 'The checklist or the schema.',
      get example() {
        return exampleId('schema');
      },
    }),
    name: z.string().meta({ example: 'Orders' }),
    allowedOrigins: z.array(originSchema).describe('The origins of the pages that may use it.'),
  })
  .meta({ id: 'WorkspaceResource', description: 'A configured resource of a workspace.' });

/** POST `/v1/console/claims/details`: what a person sees beside the inspection. */
export const claimDetailsSchema = z
  .strictObject({
    workspaceId: idSchema('workspace'),
    attached: z.boolean().describe('True if the link has attached the workspace to the organization.'),
    linkExpiresAt: isoTimeSchema.nullable().meta({
      description: 'The end of the link; null once it was used.',
      example: '2026-09-07T11:00:00.000Z',
    }),
    attemptsLeft: z.int().positive().nullable().meta({
      description: 'The number of wrong confirm codes that end the link; null once it was used.',
      example: 5,
    }),
    resources: z.array(namedResourceSchema).describe('The checklists and import schemas in it.'),
    provedOrigins: z
      .array(originSchema)
      .describe(
        'The origins that the workspace has a proof of, from a browser check. Anyone can name an origin: without a proof, its pages may belong to another company.',
      ),
    limits: usedLimitsSchema(),
    claimed: z.strictObject({ used: count, limit: count }).meta({
      description: 'The claimed workspaces of the organization, and how many it may have.',
      example: { used: 3, limit: 10 },
    }),
    ...unreadableMember,
  })
  .meta({
    id: 'ClaimDetails',
    description: 'The facts about a claim link besides the inspection.',
  });

/** The matches of one search. */
export const MATCHES_MAX = 20;

const TEXT_CHARACTERS_MAX = 120;

export const searchQuerySchema = z.strictObject({
  text: textSchema({ min: 1, max: TEXT_CHARACTERS_MAX }).meta({
    description: 'A part of a name, or the first characters of an id.',
    example: 'Orders',
  }),
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

const matchSchema = z
  .strictObject({
    kind: matchKindSchema.meta({ example: 'schema' }),
    id: z.string().meta({
      get example() {
        return exampleId('schema');
      },
    }),
    name: z.string().meta({
      description:
        'Its display name; of an import, the name of its schema; of a feedback widget, its origin; of a run, the name of its suite.',
      example: 'Orders',
    }),
    workspaceId: idSchema('workspace').nullable().describe('The workspace that it is in; null for a key.'),
    workspaceName: z
      .string()
      .nullable()
      .meta({ description: 'The name of that workspace; null for a key.', example: 'Shop' }),
    workspaceState: workspaceStateSchema
      .nullable()
      .meta({ description: 'The state of that workspace; null for a key.', example: 'active' }),
    importState: importStateSchema.nullable().meta({
      description: 'The state of an import; null for other resources.',
      example: null,
    }),
    revision: z.int().positive().nullable().meta({
      description: 'The current revision of a checklist or import schema; null for other resources.',
      example: 3,
    }),
    createdAt: isoTimeSchema,
  })
  .meta({ id: 'SearchMatch', description: 'A resource that a search found.' });

export type Match = z.infer<typeof matchSchema>;

export const searchAnswerSchema = z
  .strictObject({
    matches: z
      .array(matchSchema)
      .max(MATCHES_MAX)
      .describe(
        `At most ${MATCHES_MAX}: workspaces, keys, checklists, import schemas, imports, feedback widgets, checked origins, suites, runs; the newest workspace first.`,
      ),
    more: z
      .boolean()
      .describe('True if there are more matches, or older workspaces that the search did not look into.'),
    ...unreadableMember,
  })
  .meta({ id: 'SearchAnswer', description: 'The resources that a search found.' });
