import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { joined, keepFound, mapFound, type Readings } from '../http/records/readings.ts';
import type { FoundResource, GatewayServices, Search } from '../services.ts';
import { findRuns, listOrigins, listRunIds, listSuites } from './check-reading.ts';

/** The runs of one workspace that a search finds. A run has no name, so that it is found by its id alone. */
const RUNS_FOUND_MAX = 5;

/** Returns the origins and suites that match, and the runs whose ids do. */
export async function findChecks(
  { store }: Pick<GatewayServices, 'store'>,
  { installationId }: Pick<WorkspaceView, 'installationId'>,
  { matches }: Search,
): Promise<Readings<FoundResource>> {
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
    suites.found.find(({ suiteId }) => suiteId === id)?.document.configuration.name ?? '';
  const named = joined<FoundResource>([
    mapFound(origins, ({ originId: id, document: { origin: name, createdAt } }) => {
      return { kind: 'origin', id, name, createdAt };
    }),
    mapFound(suites, ({ suiteId: id, document: { configuration, createdAt } }) => {
      return { kind: 'suite', id, name: configuration.name, createdAt };
    }),
  ]);
  return joined<FoundResource>([
    keepFound(named, ({ id, name }) => matches(id, name)),
    mapFound(found, ({ runId: id, run: { suiteId, requestedAt } }) => {
      return { kind: 'run', id, name: nameOf(suiteId), createdAt: requestedAt };
    }),
  ]);
}
