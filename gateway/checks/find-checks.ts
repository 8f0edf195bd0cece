import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { FoundResource, GatewayServices, Search } from '../services.ts';
import { findRuns, listOrigins, listRunIds, listSuites } from './check-reading.ts';

/** The runs of one workspace that a search finds. A run has no name, so that it is found by its id alone. */
const RUNS_FOUND_MAX = 5;

/** Returns the origins and suites that match, and the runs whose ids do. */
export async function findChecks(
  { store }: Pick<GatewayServices, 'store'>,
  { installationId }: Pick<WorkspaceView, 'installationId'>,
  { matches }: Search,
): Promise<FoundResource[]> {
  const [origins, suites, runs] = await Promise.all([
    listOrigins({ store }, installationId),
    listSuites({ store }, installationId),
    listRunIds({ store }, installationId),
  ]);
  const wanted = runs.filter(({ runId }) => matches(runId, '')).slice(0, RUNS_FOUND_MAX);
  const found = await findRuns(
    { store },
    installationId,
    wanted.map(({ runId }) => runId),
  );
  const nameOf = (id: string) =>
    suites.find(({ suiteId }) => suiteId === id)?.document.configuration.name ?? '';
  return [
    ...origins.map(({ originId: id, document: { origin: name, createdAt } }): FoundResource => {
      return { kind: 'origin', id, name, createdAt };
    }),
    ...suites.map(({ suiteId: id, document: { configuration, createdAt } }): FoundResource => {
      return { kind: 'suite', id, name: configuration.name, createdAt };
    }),
  ]
    .filter(({ id, name }) => matches(id, name))
    .concat(
      found.map(({ runId: id, run: { suiteId, requestedAt } }): FoundResource => {
        return { kind: 'run', id, name: nameOf(suiteId), createdAt: requestedAt };
      }),
    );
}
