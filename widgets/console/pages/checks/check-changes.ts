import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import type { Suite } from './queries.ts';

const SCHEMA_VERSION = '2026-08-24';

/** A change of the checks of a workspace, which is read again afterwards. */
function useCheckChange<Input, Made>(
  workspaceId: string,
  send: (
    input: Input,
    made: { readonly schemaVersion: typeof SCHEMA_VERSION; readonly idempotencyKey: string },
  ) => Promise<Made>,
  onMade: (made: Made) => void,
  { keyed }: { readonly keyed?: string } = {},
) {
  const queries = useQueryClient();
  return useChange({
    send: (input: Input, idempotencyKey) => send(input, { schemaVersion: SCHEMA_VERSION, idempotencyKey }),
    ...(keyed === undefined ? { afterLoss: 'repeat' } : { keyed: `${keyed}/${workspaceId}` }),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
      onMade(made);
    },
  });
}

/** Names an origin. One that the workspace has already gets a new challenge if the last one has ended. */
export function useNameOrigin(
  workspaceId: string,
  onNamed: () => void,
  options: { readonly keyed?: string } = {},
) {
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
    options,
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

/** Creates a suite. */
export function useCreateSuite(workspaceId: string, onMade: (made: Suite) => void) {
  return useCheckChange(
    workspaceId,
    (suite: Omit<Schemas['CreateCheckSuiteRequest'], 'schemaVersion' | 'idempotencyKey'>, made) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/suites', {
          params: { path: { workspaceId } },
          body: { ...suite, ...made },
        }),
      ),
    onMade,
    { keyed: 'create-suite' },
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
