import { workspaceOf } from '../../schemas/base/ids.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { claimInspectionSchema, inspectClaimRequestSchema } from '../../schemas/workspaces/http.ts';
import { owner } from '../audiences.ts';
import { json } from '../http/audience.ts';
import { NOTHING_VERIFIED } from './claim-workspace.ts';
import { workspaceContents } from './contents.ts';
import { findClaim } from './find-claim.ts';

/** POST `/v1/console/claims/inspect`: shows the workspace of a claim link before a person attaches it. */
export const inspectClaimRoute = owner.post('/claims/inspect', {
  name: 'inspectClaim',
  summary: 'See what is behind a claim link, without using it up',
  body: json(inspectClaimRequestSchema),
  success: { status: 200, schema: claimInspectionSchema, description: 'What the workspace holds' },
  errors: ['not_found', 'state_conflict', 'expired', 'workspace_disconnected'],
  recordsRead: { action: 'workspaces.inspect-claim' },
  async handle({ principal, body, services }) {
    const { installationId, workspace } = await findClaim(services, body.code, principal.organizationId);
    const contents = await workspaceContents(services, installationId, workspace);
    const claimable = contents.results.length > 0;
    return {
      readInstallationId: installationId,
      body: {
        workspaceId: workspaceOf(installationId),
        name: workspace.name,
        cohort: workspace.cohort,
        createdAt: isoTime(workspace.createdAt),
        expiresAt: isoTimeOrNull(workspace.expiresAt),
        ...contents,
        claimable,
        reason: claimable ? null : NOTHING_VERIFIED,
      },
    };
  },
});
