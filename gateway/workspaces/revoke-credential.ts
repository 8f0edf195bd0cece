import { credentialParamsSchema } from '../../schemas/workspaces/http.ts';
import { defineRoute } from '../http/route.ts';
import { pathWorkspace } from '../imports/console-workspace.ts';
import { OWNER_OR_ADMIN } from '../people/roles.ts';

/** DELETE `…/credentials/{credentialId}`: revokes a credential, at once and for good. */
export const revokeCredentialRoute = defineRoute({
  name: 'revokeCredential',
  summary: 'Revoke a project credential',
  method: 'DELETE',
  path: '/v1/console/workspaces/:workspaceId/credentials/:credentialId',
  host: 'console',
  principal: 'console',
  roles: OWNER_OR_ADMIN,
  whenPaused: 'allowed',
  rate: 'management',
  params: credentialParamsSchema,
  body: { kind: 'none' },
  success: { status: 204, description: 'The credential is revoked' },
  errors: ['forbidden', 'not_found'],
  async handle({ workspace, params, submit }) {
    const { installationId } = pathWorkspace({ workspace });
    const input = { credentialId: params.credentialId };
    await submit({ topic: 'workspaces', key: installationId, type: 'revoke-credential', input });
    return {};
  },
});
