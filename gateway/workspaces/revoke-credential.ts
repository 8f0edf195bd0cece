import { credentialParamsSchema } from '../../schemas/workspaces/http.ts';
import { workspaceOwner } from '../audiences.ts';

/** DELETE `…/credentials/{credentialId}`: revokes a credential, at once and for good. */
export const revokeCredentialRoute = workspaceOwner.delete('/credentials/:credentialId', {
  name: 'revokeCredential',
  summary: 'Revoke a project credential',
  params: credentialParamsSchema,
  success: { status: 204, description: 'The credential is revoked' },
  errors: ['not_found'],
  async handle({ workspace, params, submit }) {
    const { installationId } = workspace;
    const input = { credentialId: params.credentialId };
    await submit({ topic: 'workspaces', key: installationId, type: 'revoke-credential', input });
    return {};
  },
});
