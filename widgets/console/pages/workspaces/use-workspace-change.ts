import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { workspaceQuery } from '../../api/workspace.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';

type Change = 'pause' | 'resume' | 'disconnect';
type Workspace = Pick<Schemas['Workspace'], 'workspaceId' | 'name'>;

const DONE = { pause: 'paused', resume: 'active again', disconnect: 'disconnected' } as const;

/**
 * A hook: pauses, resumes or disconnects a workspace. The page shows the new state at once after the answer. After a refusal it reads the
 * workspace again, so that it shows what another person has changed.
 */
export function useWorkspaceChange(workspace: Workspace) {
  const queries = useQueryClient();
  const { workspaceId, name } = workspace;
  const { queryKey } = workspaceQuery(workspaceId);
  return useChange({
    send: (change: Change) => {
      const params = { path: { workspaceId } };
      switch (change) {
        case 'pause':
          return answer(api.POST('/v1/console/workspaces/{workspaceId}/pause', { params, body: {} }));
        case 'resume':
          return answer(api.POST('/v1/console/workspaces/{workspaceId}/resume', { params, body: {} }));
        case 'disconnect': {
          const body = { confirm: name };
          return answer(api.POST('/v1/console/workspaces/{workspaceId}/disconnect', { params, body }));
        }
      }
    },
    afterLoss: 'repeat',
    onSuccess: (changed, change) => {
      queries.setQueryData(queryKey, changed);
      toast(`${name} is ${DONE[change]}`);
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
}

/** `It is Paused now.`: what the page found after a refusal. */
export function stateNow(state: Schemas['WorkspaceState']): string {
  return `It is ${WORKSPACE_STATES[state].word.toLowerCase()} now. The page shows the new state.`;
}
