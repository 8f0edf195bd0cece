import {
  activitySchema,
  claimDetailsSchema,
  matchSchema,
  namedResourceSchema,
  nextActionSchema,
  overviewListSchema,
  overviewSchema,
  searchAnswerSchema,
} from '../../schemas/workspaces/overview.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { WORKSPACE_SUMMARY } from './example-summary.ts';

const { workspaceId, at, later, importId, schemaId } = EXAMPLES;

const NEXT = {
  kind: 'approve_import' as const,
  importId,
  schemaId,
  schemaName: 'Orders',
  count: 900,
  since: later,
};
const OVERVIEW = { lastActivityAt: later, next: NEXT };
const OVERVIEW_MEMBERS = {
  lastActivityAt:
    'The time of the latest accepted event, reserved import or submission, in UTC; null before the first.',
  next: 'The first thing that waits for a person; null if nothing does.',
};
const QUOTA = { limit: 3, used: 1, remaining: 2, resetsAt: null };
const LIMITS = { svcimport: { schemas: { ...QUOTA, limit: 2, remaining: 1 }, imports: QUOTA } };
const LIMITS_TEXT = 'Limits of the products of the workspace.';
const RESOURCE = { kind: 'schema' as const, id: schemaId, name: 'Orders', allowedOrigins: [EXAMPLES.origin] };

const HOURS = Array.from({ length: 24 }, (_, hour) => hour % 3);
const PRODUCT_ACTIVITY = { product: 'svcactivate' as const, hours: HOURS };
const ACTIVITY = { from: at, products: [PRODUCT_ACTIVITY] };
const MATCH = {
  kind: 'schema' as const,
  id: schemaId,
  name: 'Orders',
  workspaceId,
  workspaceName: 'Shop',
  workspaceState: 'active' as const,
  importState: null,
  revision: 3,
  createdAt: at,
};

/** Overviews of workspaces. */
export const overviewSchemas = [
  nameSchema(
    'WorkspaceOverviewList',
    overviewListSchema,
    'One page of workspaces with what happens in them.',
    { workspaces: [{ ...WORKSPACE_SUMMARY, ...OVERVIEW }], nextCursor: null },
    { workspaces: 'The workspaces, newest first.' },
  ),
  nameSchema(
    'ListedWorkspace',
    overviewListSchema.shape.workspaces.element,
    'A workspace with what happens in it.',
    { ...WORKSPACE_SUMMARY, ...OVERVIEW },
    {
      ...OVERVIEW_MEMBERS,
      cohort: 'The cohort that the creator named.',
      products: 'The opt-in products of the workspace.',
      expiresAt: 'The end of the preview, in UTC; null once the workspace is claimed.',
    },
  ),
  nameSchema(
    'WorkspaceOverview',
    overviewSchema,
    'The activity of a workspace, and the first thing in it that waits for a person.',
    { ...OVERVIEW, attachedBy: EXAMPLES.userId, claimedBy: null, activity: ACTIVITY, limits: LIMITS },
    {
      ...OVERVIEW_MEMBERS,
      attachedBy: 'The person who attached it.',
      claimedBy: 'The person who claimed it; null before.',
      activity: 'What the products accepted, by hour.',
      limits: LIMITS_TEXT,
    },
  ),
  nameSchema(
    'ClaimDetails',
    claimDetailsSchema,
    'The facts about a claim link besides the inspection.',
    {
      workspaceId,
      attached: false,
      linkExpiresAt: '2026-09-07T11:00:00.000Z',
      attemptsLeft: 5,
      resources: [RESOURCE],
      limits: LIMITS,
      claimed: { used: 3, limit: 10 },
    },
    {
      attached: 'True if the link has attached the workspace to the organization.',
      linkExpiresAt: 'The end of the link, in UTC; null once it was used.',
      attemptsLeft: 'The number of wrong confirm codes that end the link; null once it was used.',
      resources: 'The checklists and import schemas in it.',
      limits: LIMITS_TEXT,
      claimed: 'The claimed workspaces of the organization, and how many it may have.',
    },
  ),
  nameSchema('WorkspaceResource', namedResourceSchema, 'A configured resource of a workspace.', RESOURCE, {
    kind: 'A checklist or an import schema.',
    id: 'The checklist or the schema.',
    allowedOrigins: 'The origins of the pages that may use it.',
  }),
  nameSchema(
    'NextAction',
    nextActionSchema,
    'The first thing in a workspace that waits for a person.',
    NEXT,
    {
      kind: '`resume` a paused workspace; `approve_import` in which every row is valid; `create_capability` for a schema with an approved import that no backend can pull; `correct_import` with invalid rows; `claim` a preview with verified results.',
      importId: 'The import; null unless the action is about one.',
      schemaId: 'Its import schema; null unless the action is about an import.',
      schemaName: 'The name of its import schema; null unless the action is about an import.',
      count: 'The rows to approve, approved or to correct, or the verified results; 0 for `resume`.',
      since: 'The time from which it waits, in UTC; null if that is not known.',
    },
  ),
  nameSchema(
    'WorkspaceActivity',
    activitySchema,
    'The activity of a workspace in the last 24 hours.',
    ACTIVITY,
    {
      from: 'The beginning of the first hour, in UTC.',
      products: 'The products of the workspace.',
    },
  ),
  nameSchema(
    'ProductActivity',
    activitySchema.shape.products.element,
    'The activity of one product.',
    PRODUCT_ACTIVITY,
    {
      product: 'The product.',
      hours: 'The accepted events, reserved imports or submissions of each hour, the current hour last.',
    },
  ),
  nameSchema(
    'SearchAnswer',
    searchAnswerSchema,
    'The resources that a search found.',
    { matches: [MATCH], more: false },
    {
      matches:
        'At most 20: workspaces, keys, checklists, import schemas, imports, feedback widgets, checked origins, suites, runs; the newest workspace first.',
      more: 'True if there are more matches, or older workspaces that the search did not look into.',
    },
  ),
  nameSchema('SearchMatch', matchSchema, 'A resource that a search found.', MATCH, {
    kind: 'The kind of the resource.',
    id: 'Its id.',
    name: 'Its display name; of an import, the name of its schema; of a feedback widget, its origin; of a run, the name of its suite.',
    workspaceId: 'The workspace that it is in; null for a key.',
    workspaceName: 'The name of that workspace; null for a key.',
    workspaceState: 'The state of that workspace; null for a key.',
    importState: 'The state of an import; null for other resources.',
    revision: 'The current revision of a checklist or import schema; null for other resources.',
  }),
];
