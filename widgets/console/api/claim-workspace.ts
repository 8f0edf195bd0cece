import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from './client.ts';
import type { Schemas } from './interface.ts';
import { useChange } from './use-change.ts';
import { workspaceQuery } from './workspace.ts';

/** Claims an attached preview. Afterwards everything that is known of the workspace is read again. */
export function useClaimWorkspace(workspaceId: string, onClaimed: (workspace: Schemas['Workspace']) => void) {
  const queries = useQueryClient();
  return useChange({
    send: () =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/claim', {
          params: { path: { workspaceId } },
          body: {},
        }),
      ),
    afterLoss: 'repeat',
    onSuccess: (claimed) => {
      queries.setQueryData(workspaceQuery(workspaceId).queryKey, claimed);
      onClaimed(claimed);
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
}
