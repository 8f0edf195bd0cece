import { workspaceCapabilityParamsSchema } from '../../../schemas/imports/http.ts';
import { defineRoute } from '../../http/route.ts';
import { OWNER_OR_ADMIN } from '../../people/roles.ts';
import { send } from '../actions.ts';
import { pathWorkspace } from '../console-workspace.ts';

/** DELETE `…/schemas/{schemaId}/capabilities/{capabilityId}`: for good, and at once. */
export const revokeCapabilityRoute = defineRoute({
  name: 'revokeCapability',
  summary: 'Revoke a capability',
  method: 'DELETE',
  path: '/v1/console/workspaces/:workspaceId/schemas/:schemaId/capabilities/:capabilityId',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  product: 'svcimport',
  whenPaused: 'allowed',
  rate: 'management',
  params: workspaceCapabilityParamsSchema,
  body: { kind: 'none' },
  success: { status: 204, description: 'The capability is revoked' },
  errors: ['forbidden'],
  async handle({ workspace, params, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const { schemaId, capabilityId } = params;
    await send({ submit }, installationId, 'revoke-capability', { schemaId, capabilityId });
    return {};
  },
});
