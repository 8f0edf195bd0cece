import { useQuery } from '@tanstack/preact-query';
import { workspaceQuery } from '../api/workspace.ts';
import { shortened } from './identifier.tsx';
import type { Crumb } from './page-head.tsx';
import { visibleText } from './visible-text.ts';

/** Returns the crumb of a workspace, null while its name is read. A name that cannot be read is replaced by the shortened id. */
export function useWorkspaceCrumb(workspaceId: string): Crumb | null {
  const { data, error } = useQuery(workspaceQuery(workspaceId));
  if (data === undefined && error === null) return null;
  return {
    label: visibleText(data?.name ?? shortened(workspaceId)),
    to: `/agent-workspaces/${workspaceId}`,
  };
}
