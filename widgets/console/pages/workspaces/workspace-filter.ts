import type { Schemas } from '../../api/interface.ts';
import { isWaiting } from './next-action.ts';

/** The filter in the address. */
export interface WorkspaceFilter {
  readonly text: string;
  /** A state, {@link WAITING}, or null for all. */
  readonly state: string | null;
}

/** In place of a state: only what waits for a person. */
export const WAITING = 'waiting';

type Filtered = Pick<
  Schemas['ListedWorkspace'],
  'workspaceId' | 'installationId' | 'name' | 'state' | 'next'
>;

/** Puts the workspaces that wait for a person before the others. */
export function waitingFirst<Listed extends Pick<Filtered, 'next'>>(workspaces: readonly Listed[]): Listed[] {
  return [...workspaces].sort((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)));
}

/** True if a part of the name, or the beginning of an id, and the state are as wanted. */
export function matchesFilter(workspace: Filtered, { text, state }: WorkspaceFilter): boolean {
  const wanted = text.trim();
  const isNamed =
    workspace.name.toLowerCase().includes(wanted.toLowerCase()) ||
    (wanted.length > 0 &&
      (workspace.workspaceId.startsWith(wanted) || workspace.installationId.startsWith(wanted)));
  const isWanted = state === WAITING ? isWaiting(workspace) : state === null || workspace.state === state;
  return isNamed && isWanted;
}
