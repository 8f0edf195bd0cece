import { tagged } from '../http/routing/route.ts';
import { workspaceTag } from './operations/capabilities.ts';
import {
  claimWorkspaceRoute,
  disconnectWorkspaceRoute,
  eraseWorkspaceRoute,
  pauseWorkspaceRoute,
  resumeWorkspaceRoute,
} from './operations/change-workspace.ts';
import {
  attachClaimRoute,
  inspectClaimRoute,
  openClaimLinkRoute,
  readClaimDetailsRoute,
} from './operations/claim-links.ts';
import { createWorkspaceRoute } from './operations/create-workspace.ts';
import {
  createCredentialRoute,
  revokeCredentialRoute,
  rotateCredentialRoute,
} from './operations/credentials.ts';
import { listOverviewsRoute, listWorkspacesRoute } from './operations/list-workspaces.ts';
import {
  readAgentWorkspaceRoute,
  readOverviewRoute,
  readWorkspaceRoute,
} from './operations/read-workspace.ts';
import { searchRoute } from './operations/search.ts';

/** The routes of agent workspaces. `capabilitiesRoute` is not among them, because it describes the whole table. */
export const workspaceRoutes = tagged(workspaceTag, [
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
]);
