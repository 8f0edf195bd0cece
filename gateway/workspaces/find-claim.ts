import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { matchClaim } from '../../schemas/workspaces/claim-link.ts';
import { claimCodeTargetSchema, type WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../http/services.ts';
import { readWorkspace } from './load-workspace.ts';

/**
 * The installation in the index entry of a claim code. The workspace decides if the code is still valid.
 *
 * @throws {ServiceError} `not_found` for a code without an index entry.
 */
export async function installationOfClaim(
  { digestIndex }: Pick<GatewayServices, 'digestIndex'>,
  code: string,
): Promise<string> {
  const target = await digestIndex.get({ kind: 'claim-code', digest: secretDigest(code) });
  if (target === null) throw claimEnded();
  return claimCodeTargetSchema.parse(target).installationId;
}

/**
 * The workspace of a claim code, for a member of this organization. It does not use up the code.
 *
 * @throws {ServiceError} `not_found` for a code that is unknown or has ended, `state_conflict` for a workspace that
 *   another organization has attached, `expired` and `workspace_disconnected` for one that has ended.
 */
export async function findClaim(
  services: Pick<GatewayServices, 'digestIndex' | 'store' | 'clock'>,
  code: string,
  organizationId: string,
): Promise<{ installationId: string; workspace: WorkspaceDocument }> {
  const installationId = await installationOfClaim(services, code);
  const workspace = await readWorkspace(services.store, installationId);
  if (workspace === null) throw claimEnded();
  const now = services.clock.now();
  const match = matchClaim(workspace, secretDigest(code), now);
  if (match === 'ended') throw claimEnded();
  if (match === 'used' && workspace.attachment?.organizationId !== organizationId) {
    throw serviceError('state_conflict', {
      at: 'workspace.attachment',
      seen: 'a workspace that is attached to an organization',
      expected: 'one that is not',
    });
  }
  const ended = workspaceRefusal(workspace, now, 'allowed');
  if (ended !== null) throw new ServiceError(ended);
  return { installationId, workspace };
}

function claimEnded() {
  return serviceError('not_found', {
    at: 'body.code',
    seen: 'a claim link that does not exist or has ended',
    expected: 'an open one; ask for a new link',
  });
}
