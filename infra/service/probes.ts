import type { Logger } from 'pino';
import type { Store } from '../../topics/ports/store.ts';
import { Administrator } from '../kafka/administrator.ts';
import { ask, connect } from '../redis/connection.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import { runtimeLogger } from './runtime-logger.ts';

/** Asks every server of a cluster for a sign of life, over connections of its own where the ports have no question. */
export interface Probes {
  /** @throws {EngineUnavailableError} when one of them does not answer. */
  answers(): Promise<void>;
  close(): Promise<void>;
}

/** An aggregate that nobody has: reading it takes a quorum and finds nothing. */
const NOBODY = { table: 'workspaces', id: 'probe' } as const;

/** @throws {EngineUnavailableError} when Redis does not answer; the others are asked for the first time by `answers`. */
export async function openProbes(cluster: ClusterSettings, store: Store, logger: Logger): Promise<Probes> {
  const redis = await connect(cluster.redis);
  const kafka = new Administrator(cluster.kafka, runtimeLogger(logger));
  return {
    answers: async () => {
      await Promise.all([
        store.read(NOBODY, []),
        ask(redis, 'Redis server', () => redis.ping()),
        kafka.ask((admin) => admin.describeCluster()),
      ]);
    },
    close: async () => {
      redis.disconnect();
      await kafka.close();
    },
  };
}
