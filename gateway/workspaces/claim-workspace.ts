import { serviceError } from '../../schemas/base/errors.ts';
import { PRODUCTS } from '../../schemas/products.ts';
import {
  consoleWorkspaceSchema,
  workspaceChangeRequestSchema,
  workspaceParamsSchema,
} from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';
import { verifiedResults } from './contents.ts';

/** POST `…/claim`: moves the preview to the Free plan without an end (infra/docs/reference/workspaces.md#claiming). */
export const claimWorkspaceRoute = workspaceOwner.post('/claim', {
  name: 'claimWorkspace',
  summary: 'Claim an attached preview for the organization',
  params: workspaceParamsSchema,
  body: json(workspaceChangeRequestSchema),
  success: {
    status: 200,
    schema: consoleWorkspaceSchema,
    description: 'The workspace, claimed; the same again for a workspace that was claimed before',
  },
  errors: ['state_conflict', 'limit_reached', 'expired', 'workspace_disconnected'],
  async handle({ workspace, principal, services, submit }) {
    const { installationId, plan } = workspace;
    if (plan === 'preview') {
      const [evidence] = await verifiedResults(services, installationId);
      if (evidence === undefined)
        throw serviceError('state_conflict', {
          at: 'workspace',
          seen: 'nothing in it that has been verified',
          expected: VERIFIED_RESULTS,
        });
      await submit({
        topic: 'organizations',
        key: principal.organizationId,
        type: 'claim',
        input: { installationId, evidence },
      });
    }
    return { body: await consoleWorkspaceAnswer(services, installationId) };
  },
});

const VERIFIED_RESULTS = PRODUCTS.map(({ verifiedResult }) => verifiedResult.text).join(' or ');

/** The reason why a workspace without a verified result cannot be claimed. */
export const NOTHING_VERIFIED = `Nothing in the workspace has been verified yet: ${VERIFIED_RESULTS}.`;
