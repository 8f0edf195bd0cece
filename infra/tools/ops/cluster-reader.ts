import { openCassandraEngine } from '../../engines/cassandra/engine.ts';
import { readLags } from '../../engines/kafka/lag.ts';
import type { ClusterSettings } from '../../service/cluster-settings.ts';

/** Opens the servers of a cluster that hold state and records. */
export async function openCluster({ cassandra, kafka }: ClusterSettings) {
  const ignore = () => undefined;
  const { store, close } = await openCassandraEngine(
    { ...cassandra, onWarning: ignore },
    { now: () => Date.now() },
  );
  return { store, lags: () => readLags(kafka, { warn: ignore, error: ignore }), close };
}
