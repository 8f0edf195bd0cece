import type { WorkspaceView } from '../../schemas/workspaces/state.ts';

/** The workspace that a console route's path names; the gateway has checked that it is the caller's. */
export function pathWorkspace({ workspace }: { readonly workspace: WorkspaceView | null }): WorkspaceView {
  if (workspace === null) throw new Error('handling a route of a workspace without one');
  return workspace;
}
