import type { Route } from '../http/route.ts';
import { attachClaimRoute } from './attach-claim.ts';
import { pauseWorkspaceRoute, resumeWorkspaceRoute } from './change-state.ts';
import { readClaimDetailsRoute } from './claim-details.ts';
import { claimWorkspaceRoute } from './claim-workspace.ts';
import { createCredentialRoute } from './create-credential.ts';
import { createWorkspaceRoute } from './create-workspace.ts';
import { disconnectWorkspaceRoute } from './disconnect-workspace.ts';
import { eraseWorkspaceRoute } from './erase-workspace.ts';
import { inspectClaimRoute } from './inspect-claim.ts';
import { listOverviewsRoute } from './list-overviews.ts';
import { listWorkspacesRoute } from './list-workspaces.ts';
import { openClaimLinkRoute } from './open-claim-link.ts';
import { readAgentWorkspaceRoute } from './read-agent-workspace.ts';
import { readOverviewRoute } from './read-overview.ts';
import { readWorkspaceRoute } from './read-workspace.ts';
import { revokeCredentialRoute } from './revoke-credential.ts';
import { rotateCredentialRoute } from './rotate-credential.ts';
import { searchRoute } from './search.ts';

/** The routes of agent workspaces. `capabilitiesRoute` is not among them, because it describes the whole table. */
export const workspaceRoutes: readonly Route[] = [
  createWorkspaceRoute,
  readAgentWorkspaceRoute,
  openClaimLinkRoute,
  inspectClaimRoute,
  readClaimDetailsRoute,
  attachClaimRoute,
  listWorkspacesRoute,
  readWorkspaceRoute,
  readOverviewRoute,
  listOverviewsRoute,
  searchRoute,
  claimWorkspaceRoute,
  pauseWorkspaceRoute,
  resumeWorkspaceRoute,
  disconnectWorkspaceRoute,
  eraseWorkspaceRoute,
  createCredentialRoute,
  rotateCredentialRoute,
  revokeCredentialRoute,
];
