import type { ProductDocumentation } from '../http/documentation.ts';
import { EXAMPLES } from '../http/example-values.ts';
import { workspaceSchemas } from './documented-schemas.ts';

/** The texts about workspaces in the OpenAPI document. */
export const workspaceDocumentation: ProductDocumentation = {
  tag: {
    name: 'Workspaces',
    description:
      'A workspace holds the configuration and data of one project. An agent creates it without an account as a preview; a person attaches it to an organization by a claim link and claims it once something in it has worked.',
  },
  parameters: {
    workspaceId: { description: 'The workspace, one of the organization.', example: EXAMPLES.workspaceId },
    credentialId: { description: 'A credential of the workspace.', example: EXAMPLES.credentialId },
    cursor: {
      description: 'The `nextCursor` of the page before.',
      example: `001788775200000:${EXAMPLES.workspaceId}`,
    },
    text: { description: 'A part of a name, or an id.', example: 'Orders' },
    limit: { description: 'The largest number of entries to return.', example: 20 },
  },
  schemas: workspaceSchemas,
  operations: {
    readCapabilities: {
      description:
        'Returns the hosts, the products with their endpoints, and the limits of each plan. Start here: it needs no credential.',
    },
    createWorkspace: {
      description:
        'Creates a workspace as a preview, without an account. The answer has the project credential for all further requests, and the provision token that opens claim links. A repeat with the same `Idempotency-Key` or `provisionToken` returns the same workspace.',
    },
    readAgentWorkspace: {
      description: 'Returns the state, the plan and what is left of the limits.',
    },
    openClaimLink: {
      description:
        'Opens a link with which a person attaches the preview to an organization. Give the link and the confirm code to that person. Each request ends the link before it.',
    },
    inspectClaim: {
      description: 'Returns the workspace behind a claim link, without using the link up.',
    },
    attachClaim: {
      description:
        'Attaches the workspace to the organization of the session and uses the link up. The preview stays a preview until it is claimed. After too many wrong confirm codes the link has ended.',
    },
    listWorkspaces: { description: 'Returns the workspaces of the organization, newest first.' },
    readWorkspace: {
      description:
        'Returns a workspace with counts of its contents, its verified results and its credentials.',
    },
    listWorkspaceOverviews: {
      description:
        'Returns the workspaces of the organization, newest first, each with its latest activity and what waits for a person.',
    },
    readWorkspaceOverview: {
      description:
        'Returns what waits for a person, the use of the limits, and what each product accepted in each of the last 24 hours: milestone events, and reserved imports.',
    },
    readClaimDetails: {
      description:
        'Returns the resources behind a claim link, the use of the limits and the end of the link, without using the link up.',
    },
    searchOrganization: {
      description:
        'Finds workspaces, API keys, checklists, import schemas and imports by a part of the name or by id. It looks into the 50 latest workspaces, the 100 latest keys and the 20 latest imports of each workspace.',
    },
    claimWorkspace: {
      description:
        'Claims an attached preview that has at least one verified result: its plan becomes `free` and it no longer expires.',
    },
    pauseWorkspace: {
      description:
        'Pauses a claimed workspace: apart from the work of its owner, nothing enters or leaves it. A pause ends no credential and no session.',
    },
    resumeWorkspace: { description: 'Ends a pause. Everything works as before.' },
    disconnectWorkspace: {
      description: 'Ends collection and the access of agents for good. The data stays until it is erased.',
    },
    eraseWorkspace: {
      description: 'Erases the workspace with everything in it. This cannot be undone.',
    },
    createCredential: {
      description: 'Creates a named project credential. Only this answer has the secret.',
    },
    rotateCredential: {
      description: 'Gives a credential a new secret. The former one works for `overlapHours` more.',
    },
    revokeCredential: { description: 'Ends a credential with all its secrets at once.' },
  },
};
