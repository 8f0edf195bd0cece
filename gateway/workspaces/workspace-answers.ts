import { workspaceOf } from '../../schemas/base/ids.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import type { Hosts } from '../services.ts';

/** The members of a workspace in lists. `now`: Unix milliseconds; decides if the workspace has expired. */
export function workspaceSummary(installationId: string, workspace: WorkspaceDocument, now: number) {
  const { name, cohort, products, plan, expiresAt } = workspace;
  return {
    workspaceId: workspaceOf(installationId),
    installationId,
    name,
    cohort,
    products,
    state: effectiveState(workspace, now),
    plan,
    expiresAt: isoTimeOrNull(expiresAt),
  };
}

/** The members that all answers about one workspace share. */
export function workspaceAnswer(
  installationId: string,
  workspace: WorkspaceDocument,
  { now, hosts }: { readonly now: number; readonly hosts: Hosts },
) {
  return {
    ...workspaceSummary(installationId, workspace, now),
    createdAt: isoTime(workspace.createdAt),
    console: consoleAddress(hosts, workspaceOf(installationId)),
  };
}

/** The address at which an owner opens a workspace in a browser. */
export function consoleAddress(hosts: Hosts, workspaceId: string): string {
  return `${hosts.console}/agent-workspaces/${workspaceId}`;
}
