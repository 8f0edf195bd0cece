import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { openCassandraEngine } from '../../engines/cassandra/engine.ts';
import { readLags } from '../../engines/kafka/lag.ts';
import type { ClusterSettings } from '../../service/cluster-settings.ts';
import { type ServerOfCluster, serverFailure } from '../../service/start-failures.ts';

/**
 * Opens the servers of a cluster that hold state and records.
 *
 * @throws {StartError} that names the server which does not answer
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
  const lags = () => readLags(kafka, { warn: ignore, error: ignore }).catch(named('kafka'));
  return { store, lags, close };
}
