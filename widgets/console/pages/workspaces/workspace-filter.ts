import type { Schemas } from '../../api/interface.ts';

/** The filter in the address. */
export interface WorkspaceFilter {
  readonly text: string;
  /** A state, or null for all. */
  readonly state: string | null;
}

type Filtered = Pick<Schemas['ListedWorkspace'], 'workspaceId' | 'installationId' | 'name' | 'state'>;

/** True if a part of the name, or the beginning of an id, and the state are as wanted. */
export function matchesFilter(workspace: Filtered, { text, state }: WorkspaceFilter): boolean {
  const wanted = text.trim();
  const isNamed =
    workspace.name.toLowerCase().includes(wanted.toLowerCase()) ||
    (wanted.length > 0 &&
      (workspace.workspaceId.startsWith(wanted) || workspace.installationId.startsWith(wanted)));
  return isNamed && (state === null || workspace.state === state);
}
