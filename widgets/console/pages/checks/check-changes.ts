import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import { toast } from '../../parts/toast.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import type { Suite } from './queries.ts';

const SCHEMA_VERSION = '2026-08-24';

/** Sends a change that is made once, however often it is sent: its key stays the same until it was answered. */
function useCheckChange<Input, Made>(
  workspaceId: string,
  send: (
    input: Input,
    made: { readonly schemaVersion: typeof SCHEMA_VERSION; readonly idempotencyKey: string },
  ) => Promise<Made>,
  onMade: (made: Made) => void,
) {
  const queries = useQueryClient();
  const key = useRef(newIdempotencyKey());
  return useMutation({
    mutationFn: (input: Input) => send(input, { schemaVersion: SCHEMA_VERSION, idempotencyKey: key.current }),
    onSuccess: (made) => {
      key.current = newIdempotencyKey();
      void queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
      onMade(made);
    },
  });
}

/** Names an origin. One that the workspace has already gets a new challenge if the last one has ended. */
export function useNameOrigin(workspaceId: string, onNamed: () => void) {
  return useCheckChange(
    workspaceId,
    (origin: string, made) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/origins', {
          params: { path: { workspaceId } },
          body: { ...made, origin, verificationMethod: 'well_known_file' },
        }),
      ),
    ({ origin, replacedOrigin }) => {
      if (replacedOrigin !== undefined)
        toast(`${visibleText(origin)} replaces ${visibleText(replacedOrigin)}`);
      onNamed();
    },
  );
}

/** Looks for the published text of an origin, and proves the origin with it. */
export function useConfirmOrigin(workspaceId: string) {
  return useCheckChange(
    workspaceId,
    (originId: string, made) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/origins/{originId}/confirm', {
          params: { path: { workspaceId, originId } },
          body: made,
        }),
      ),
    ({ origin }) => toast(`${visibleText(origin)} is proved`),
  );
}

/** Runs a suite, and shows the run. */
export function useRunSuite(workspaceId: string) {
  const [, go] = useLocation();
  return useCheckChange(
    workspaceId,
    ({ suiteId }: Pick<Suite, 'suiteId' | 'name'>, made) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/runs', {
          params: { path: { workspaceId } },
          body: { ...made, suiteId },
        }),
      ),
    ({ runId }) => go(`/agent-workspaces/${workspaceId}/checks/${runId}`),
  );
}
