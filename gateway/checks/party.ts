import type { Party } from '../../schemas/workspaces/party.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';

/** The party whose work takes turns with that of others. */
export function partyOf({ installationId, plan, creator, organizationId }: WorkspaceView): Party {
  const isPreview = plan === 'preview';
  return { workspace: installationId, creator: isPreview ? creator : organizationId, isPreview };
}
