import { quotaSchema } from '../../schemas/base/quota.ts';
import { mapCounters, optInSchema, PRODUCTS, type Product, productSchema } from '../../schemas/products.ts';
import { cohortSchema } from '../../schemas/workspaces/documents.ts';
import {
  agentWorkspaceSchema,
  attachClaimRequestSchema,
  claimInspectionSchema,
  claimLinkAnswerSchema,
  claimLinkRequestSchema,
  confirmedChangeRequestSchema,
  consoleWorkspaceSchema,
  createCredentialRequestSchema,
  createdWorkspaceSchema,
  createWorkspaceRequestSchema,
  credentialAnswerSchema,
  inspectClaimRequestSchema,
  inventorySchema,
  madeCredentialSchema,
  rotateCredentialRequestSchema,
  verifiedResultSchema,
  workspaceChangeRequestSchema,
  workspaceListSchema,
} from '../../schemas/workspaces/http.ts';
import { planSchema, workspaceStateSchema } from '../../schemas/workspaces/lifecycle.ts';
import { nameSchema } from '../http/documentation.ts';
import { EXAMPLES, exampleSecret } from '../http/example-values.ts';
import { capabilitySchemas } from './documented-capabilities.ts';
import { overviewSchemas } from './documented-overviews.ts';
import { WORKSPACE_SUMMARY } from './example-summary.ts';

const { workspaceId, at, later, endsAt, importId } = EXAMPLES;
const CONSOLE = `https://console.example.com/agent-workspaces/${workspaceId}`;
const QUOTA = { limit: 3, used: 1, remaining: 2, resetsAt: null };
const IMPORT_LIMITS = { schemas: { ...QUOTA, limit: 2, remaining: 1 }, imports: QUOTA };
const INVENTORY = mapCounters(({ example }) => example);
const RESULT = { kind: 'import' as const, id: importId, at: later };
const CREDENTIAL = {
  credentialId: EXAMPLES.credentialId,
  name: 'CI agent',
  last4: exampleSecret('project').slice(-4),
  createdAt: at,
  lastUsedAt: at,
  overlapEndsAt: null,
};

const WORKSPACE = { ...WORKSPACE_SUMMARY, createdAt: at, console: CONSOLE };

const workspaceMembers = {
  cohort: 'The cohort that the creator named.',
  products: 'The opt-in products of the workspace.',
  expiresAt: 'The end of the preview, in UTC; null once the workspace is claimed.',
  console: 'The page on which an owner opens the workspace.',
};

const CLAIM_CODE = 'The code in the fragment of the claim link.';

/** Requests. */
const requests = [
  nameSchema(
    'CreateWorkspaceRequest',
    createWorkspaceRequestSchema,
    'A workspace to be created as a preview.',
    { name: 'Orders', cohort: 'external', products: ['svcactivate', 'svcimport'] },
    {
      cohort: '`dogfood` for the own projects of the operator, `external` for all others.',
      products: 'Opt-in products, each once.',
      provisionToken:
        'A token that the caller makes from random bytes and keeps before the request, so that it can repeat a request whose answer was lost. Without it the answer has a new one.',
    },
  ),
  nameSchema(
    'ClaimLinkRequest',
    claimLinkRequestSchema,
    'Proves that the caller created the workspace.',
    { provisionToken: exampleSecret('provision') },
    { provisionToken: 'The token from the creation of the workspace.' },
  ),
  nameSchema(
    'InspectClaimRequest',
    inspectClaimRequestSchema,
    'The claim link to look at.',
    { code: exampleSecret('claim') },
    { code: CLAIM_CODE },
  ),
  nameSchema(
    'AttachClaimRequest',
    attachClaimRequestSchema,
    'The claim link to attach, with the code shown beside it.',
    { code: exampleSecret('claim'), confirm: 'K7QM' },
    { code: CLAIM_CODE, confirm: 'The four letters and digits shown together with the link.' },
  ),
  nameSchema('EmptyRequest', workspaceChangeRequestSchema, 'An empty object.', {}),
  nameSchema(
    'ConfirmedChangeRequest',
    confirmedChangeRequestSchema,
    'Confirms a change that cannot be undone.',
    { confirm: 'Orders' },
    { confirm: 'The name of the workspace.' },
  ),
  nameSchema(
    'CreateCredentialRequest',
    createCredentialRequestSchema,
    'A project credential to be created.',
    { idempotencyKey: 'ci-agent-1', name: 'CI agent' },
    { name: 'A name to tell credentials apart.' },
  ),
  nameSchema(
    'RotateCredentialRequest',
    rotateCredentialRequestSchema,
    'How to replace the secret of a credential.',
    { idempotencyKey: 'rotation-1', overlapHours: 24 },
    { overlapHours: 'Hours for which the former secret still works; 0 ends it at once.' },
  ),
];

/** Answers. */
const answers = [
  nameSchema(
    'CreatedWorkspace',
    createdWorkspaceSchema,
    'A new workspace with its secrets. Keep both secrets private.',
    { ...WORKSPACE, provisionToken: exampleSecret('provision'), credential: exampleSecret('project') },
    {
      ...workspaceMembers,
      provisionToken: 'Proves later that the caller created the workspace.',
      credential: 'The project credential, for `Authorization: Bearer`.',
    },
  ),
  nameSchema(
    'AgentWorkspace',
    agentWorkspaceSchema,
    'A workspace as its agent sees it.',
    {
      ...WORKSPACE,
      activation: { attachedAt: null, claimedAt: null },
      limits: { svcimport: IMPORT_LIMITS },
    },
    {
      ...workspaceMembers,
      limits: 'Limits of the products of the workspace.',
    },
  ),
  nameSchema(
    'WorkspaceActivation',
    agentWorkspaceSchema.shape.activation,
    'How far an owner has taken the workspace over.',
    { attachedAt: null, claimedAt: null },
    {
      attachedAt: 'The time at which it was attached to an organization, in UTC; null before.',
      claimedAt: 'The time at which it was claimed, in UTC; null before.',
    },
  ),
  nameSchema(
    'ClaimLink',
    claimLinkAnswerSchema,
    'A link with which a person attaches the workspace to an organization.',
    {
      claimUrl: `https://console.example.com/agent-workspaces/claim#${exampleSecret('claim')}`,
      confirmCode: 'K7QM',
      expiresAt: '2026-09-07T11:00:00.000Z',
    },
    {
      claimUrl: 'The address to open. The code is in the fragment, which browsers do not send.',
      confirmCode: 'Show it beside the link. The person types it.',
    },
  ),
  nameSchema(
    'Inventory',
    inventorySchema,
    'Counts of everything that was ever made in the workspace.',
    INVENTORY,
    mapCounters(({ description }) => description),
  ),
  nameSchema(
    'VerifiedResult',
    verifiedResultSchema,
    'A result that the service itself has seen to work. A claim needs at least one.',
    RESULT,
    {
      kind: 'The product that it was seen in.',
      id: 'The import or the checklist.',
      at: 'The time at which the data arrived, in UTC.',
    },
  ),
  nameSchema('Credential', credentialAnswerSchema, 'A project credential without its secret.', CREDENTIAL, {
    name: 'The name; null for the credential that the workspace was created with.',
    lastUsedAt: 'The time of the latest use in UTC, to the hour; null before the first one.',
    overlapEndsAt: 'The time until which the former secret works, in UTC; null if there is none.',
  }),
  nameSchema(
    'ClaimInspection',
    claimInspectionSchema,
    'A workspace as the holder of its claim link sees it.',
    {
      workspaceId,
      name: 'Orders',
      cohort: 'external',
      createdAt: at,
      expiresAt: endsAt,
      inventory: INVENTORY,
      results: [RESULT],
      credentials: [CREDENTIAL],
      claimable: true,
      reason: null,
    },
    {
      ...{ cohort: workspaceMembers.cohort, expiresAt: workspaceMembers.expiresAt },
      results: 'Results that a claim can rest on.',
      credentials: 'The credentials that have access.',
      claimable: 'True if a claim would be accepted now.',
      reason: 'A sentence about what a claim still needs; null if nothing.',
    },
  ),
  nameSchema(
    'Workspace',
    consoleWorkspaceSchema,
    'A workspace as its owner sees it.',
    {
      ...WORKSPACE,
      organizationId: EXAMPLES.organizationId,
      attachedAt: later,
      claimedAt: null,
      inventory: INVENTORY,
      results: [RESULT],
      credentials: [CREDENTIAL],
    },
    {
      ...workspaceMembers,
      attachedAt: 'The time at which it was attached to the organization, in UTC.',
      claimedAt: 'The time at which it was claimed, in UTC; null before.',
      results: 'Results that a claim can rest on.',
      credentials: 'The credentials that have access.',
    },
  ),
  nameSchema(
    'WorkspaceList',
    workspaceListSchema,
    'One page of workspaces.',
    { workspaces: [WORKSPACE_SUMMARY], nextCursor: null },
    { workspaces: 'The workspaces, newest first.' },
  ),
  nameSchema(
    'WorkspaceSummary',
    workspaceListSchema.shape.workspaces.element,
    'A workspace as lists show it.',
    WORKSPACE_SUMMARY,
    {
      cohort: workspaceMembers.cohort,
      products: workspaceMembers.products,
      expiresAt: workspaceMembers.expiresAt,
    },
  ),
  nameSchema(
    'CredentialSecret',
    madeCredentialSchema,
    'The only answer that has the secret of a credential.',
    { credentialId: EXAMPLES.credentialId, credential: exampleSecret('project') },
    {
      credential:
        'The secret, for `Authorization: Bearer`. A repeat with the same idempotency key has it again.',
    },
  ),
];

function describeProduct(product: Product): string {
  return `\`${product}\`: ${PRODUCTS.find(({ name }) => name === product)?.title}.`;
}

/** Parts that several schemas share. */
const parts = [
  nameSchema(
    'Plan',
    planSchema,
    'The plan that the limits come from: `preview` until a claim, then `free`.',
    'preview',
  ),
  nameSchema('Product', productSchema, productSchema.options.map(describeProduct).join(' '), 'svcimport'),
  nameSchema('OptIn', optInSchema, optInSchema.options.map(describeProduct).join(' '), 'svcimport'),
  nameSchema(
    'WorkspaceState',
    workspaceStateSchema,
    '`preview` until a claim, then `active`. An owner can pause and resume it, and disconnect it for good. A preview that is not claimed in time has `expired`.',
    'preview',
  ),
  nameSchema(
    'WorkspaceCohort',
    cohortSchema,
    '`dogfood` for the own projects of the operator, `external` for all others.',
    'external',
  ),
  nameSchema('Quota', quotaSchema, 'A limit of the plan and its use.', QUOTA, {
    limit: 'The limit.',
    used: 'The use so far.',
    remaining: 'The rest.',
    resetsAt: 'The time at which the use starts again at 0, in UTC; null for never.',
  }),
];

export const workspaceSchemas = [...requests, ...answers, ...parts, ...overviewSchemas, ...capabilitySchemas];
