import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { Administrator } from '../../engines/kafka/administrator.ts';
import { evictionFault, readConditions, replicaFault } from '../../engines/redis/conditions.ts';
import { connect, placed } from '../../engines/redis/connection.ts';
import type { EnginePart } from '../engine/ports.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';
import type { ClusterSettings } from '../settings/cluster-settings.ts';
import { StartError } from '../settings/start-error.ts';

/** Asks the servers of a cluster for a sign of life, over separate connections where the ports have no question. */
export interface Probes {
  readonly parts: readonly EnginePart[];
  close(): Promise<void>;
}

/** Said where Redis does not let its user ask for its settings. */
const UNCHECKED =
  'this user may not run INFO, so that maxmemory-policy is not checked; allow it (+info), or see to noeviction';

/** An aggregate that does not exist: reading it takes a quorum and finds nothing. */
const NOBODY = { table: 'workspaces', id: 'probe' } as const;

/**
 * Opens the connections and checks the settings of Redis that keep counters and revocations. Each question to it checks
 * them again.
 *
 * @throws {EngineUnavailableError} when Redis does not answer; the others are asked for the first time later.
 * @throws {StartError} when Redis would forget counters or revocations.
 */
export async function openProbes(cluster: ClusterSettings, store: Store, logger: Logger): Promise<Probes> {
  const redis = await connect(cluster.redis);
  try {
    await requireConditions(redis, logger);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const kafka = new Administrator(cluster.kafka, runtimeLogger(logger));
  return {
    parts: [
      { name: 'kafka', answers: async () => void (await kafka.ask((admin) => admin.describeCluster())) },
      { name: 'cassandra', answers: async () => void (await store.read(NOBODY, [])) },
      { name: 'redis', answers: () => requireNoEviction(redis, logger) },
    ],
    close: async () => {
      redis.disconnect();
      await kafka.close();
    },
  };
}

async function requireConditions(redis: Redis, logger: Logger): Promise<void> {
  const conditions = await readConditions(redis);
  const eviction = conditions === null ? null : evictionFault(conditions);
  if (eviction !== null) throw new StartError(`REDIS_URL: ${eviction}`);
  const question = conditions === null ? UNCHECKED : replicaFault(conditions);
  if (question !== null) logger.warn({ said: `REDIS_URL: ${question}` }, 'SettingQuestioned');
}

/** A server whose settings were changed while it runs is answered like one that is away, and named in the log. */
async function requireNoEviction(redis: Redis, logger: Logger): Promise<void> {
  const conditions = await readConditions(redis);
  const eviction = conditions === null ? null : evictionFault(conditions);
  if (eviction === null) return;
  logger.error({ said: `REDIS_URL: ${eviction}` }, 'EngineUnfit');
  throw new EngineUnavailableError(placed('server', redis));
}
