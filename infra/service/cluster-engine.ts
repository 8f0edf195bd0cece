import { openCassandraEngine } from '../cassandra/engine.ts';
import { openKafkaLog } from '../kafka/log.ts';
import { RedisCounters } from '../redis/counters.ts';
import { RedisLimiter } from '../redis/limiter.ts';
import { RedisReplies } from '../redis/replies.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Engine, EngineOptions } from './ports.ts';
import { runtimeLogger } from './runtime-logger.ts';

/**
 * Opens every port on Kafka, Cassandra and Redis, and makes the topics that are missing. The schema has to be there:
 * `npm run migrate`. What expires, the servers remove themselves.
 *
 * @throws {EngineUnavailableError} when a server does not answer; {Error} when topics or schema do not fit.
 */
export async function openClusterEngine(
  cluster: ClusterSettings,
  { clock, logger }: Pick<EngineOptions, 'clock' | 'logger'>,
): Promise<Engine> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  const opened = async <Part extends { close(): Promise<void> }>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening;
    closers.push(() => part.close());
    return part;
  };
  try {
    const onWarning = (message: string) => logger.warn({ said: message }, 'CassandraWarned');
    const cassandra = await opened(openCassandraEngine({ ...cluster.cassandra, onWarning }, clock));
    const counters = await opened(RedisCounters.open(cluster.redis));
    const limiter = await opened(RedisLimiter.open(cluster.redis));
    const replies = await opened(RedisReplies.open(cluster.redis));
    const log = await opened(
      openKafkaLog({
        options: cluster.kafka,
        logger: runtimeLogger(logger),
        onHalt: (halt) => logger.fatal(halt, 'PartitionHalted'),
      }),
    );
    const { store, lookups, blobs } = cassandra;
    return { log, store, lookups, blobs, counters, limiter, replies, tidy: async () => false, close };
  } catch (error) {
    await close();
    throw error;
  }
}
