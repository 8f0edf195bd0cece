import { useQuery } from '@tanstack/preact-query';
import { workspaceQuery } from '../../api/workspace.ts';
import type { Crumb } from '../frame/page-head.tsx';
import { shortened } from '../table/identifier.tsx';
import { visibleText } from '../table/visible-text.ts';

/** Returns the crumb of a workspace, null while its name is read. A name that cannot be read is replaced by the shortened id. */
export function useWorkspaceCrumb(workspaceId: string): Crumb | null {
  const { data, error } = useQuery(workspaceQuery(workspaceId));
  if (data === undefined && error === null) return null;
  return {
    label: visibleText(data?.name ?? shortened(workspaceId)),
    to: `/agent-workspaces/${workspaceId}`,
  };
}
