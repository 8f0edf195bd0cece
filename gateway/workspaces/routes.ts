import type { Route } from '../route.ts';
import { attachClaimRoute } from './attach-claim.ts';
import { createWorkspaceRoute } from './create-workspace.ts';
import { inspectClaimRoute } from './inspect-claim.ts';
import { listWorkspacesRoute } from './list-workspaces.ts';
import { openClaimLinkRoute } from './open-claim-link.ts';
import { readAgentWorkspaceRoute } from './read-agent-workspace.ts';
import { readWorkspaceRoute } from './read-workspace.ts';

/** Agent workspaces. `capabilitiesRoute` comes with the whole table, which it describes. */
export const workspaceRoutes: readonly Route[] = [
  createWorkspaceRoute,
  readAgentWorkspaceRoute,
  openClaimLinkRoute,
  inspectClaimRoute,
  attachClaimRoute,
  listWorkspacesRoute,
  readWorkspaceRoute,
];
