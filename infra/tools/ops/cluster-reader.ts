import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { openCassandraEngine } from '../../engines/cassandra/engine.ts';
import { readLags } from '../../engines/kafka/lag.ts';
import type { ClusterSettings } from '../../service/settings/cluster-settings.ts';
import { StartError } from '../../service/settings/start-error.ts';
import { type ServerOfCluster, serverFailure } from '../../service/settings/start-failures.ts';

/**
 * Opens the servers of a cluster that hold state and records.
 *
 * @throws {StartError} that names the server which does not answer, or a namespace without topics
 */
export async function openCluster(cluster: ClusterSettings) {
  const ignore = () => undefined;
  const named = (server: ServerOfCluster) => (error: unknown) => {
    throw error instanceof EngineUnavailableError ? serverFailure(error, server, cluster) : error;
  };
  const { cassandra, kafka } = cluster;
  const { store, close } = await openCassandraEngine(
    { ...cassandra, onWarning: ignore },
    { now: () => Date.now() },
  ).catch(named('cassandra'));
  const lags = async () => {
    const found = await readLags(kafka, { warn: ignore, error: ignore }).catch(named('kafka'));
    if (found.length > 0) return found;
    const namespace = kafka.prefix.slice(0, -1);
    throw new StartError(
      `SVC_NAMESPACE: seen ${namespace} without topics; expected that of a service that was started`,
    );
  };
  return { store, lags, close };
}
