import { workspaceOf } from '../../schemas/base/ids.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { attachClaimRequestSchema, consoleWorkspaceSchema } from '../../schemas/workspaces/http.ts';
import { owner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { isConfirmCode } from './confirm-code.ts';
import { consoleWorkspaceAnswer } from './console-answer.ts';
import { installationOfClaim } from './find-claim.ts';

/** POST `/v1/console/claims/attach`: makes the preview visible to the organization. */
export const attachClaimRoute = owner.post('/claims/attach', {
  name: 'attachClaim',
  summary: 'Attach the workspace of a claim link to the organization',
  body: json(attachClaimRequestSchema),
  success: { status: 200, schema: consoleWorkspaceSchema, description: 'The workspace, attached' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  async handle({ principal, body, services, submit }) {
    const { code, confirm } = body;
    const installationId = await installationOfClaim(services, code);
    await submit({
      topic: 'organizations',
      key: principal.organizationId,
      type: 'attach',
      digestInput: { workspaceId: workspaceOf(installationId) },
      input: {
        installationId,
        claimDigest: secretDigest(code),
        confirmed: isConfirmCode(services.secrets, code, confirm),
      },
    });
    return { body: await consoleWorkspaceAnswer(services, installationId) };
  },
});
