import { openCassandraEngine } from '../../engines/cassandra/engine.ts';
import { openKafkaLog } from '../../engines/kafka/log.ts';
import { RedisApprovals } from '../../engines/redis/approvals.ts';
import { RedisCounters } from '../../engines/redis/counters.ts';
import { RedisLimiter } from '../../engines/redis/limiter.ts';
import { RedisProcessReports } from '../../engines/redis/process-reports.ts';
import { RedisReplies } from '../../engines/redis/replies.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';
import { loggedHalts } from '../readiness/halts.ts';
import { openProbes } from '../readiness/probes.ts';
import type { ClusterSettings } from '../settings/cluster-settings.ts';
import { type ServerOfCluster, serverFailure } from '../settings/start-failures.ts';
import { connectWithRetry, startRetries } from './connect-with-retry.ts';
import type { Engine, EngineOptions } from './ports.ts';

interface Closable {
  close(): Promise<void>;
}

/**
 * Opens every port on Kafka, Cassandra and Redis, and makes the topics that are missing. The schema has to be there:
 * `npm run ops -- migrate`. The servers remove expired data themselves.
 *
 * A process may start before its servers: it waits for them, with one deadline for all.
 *
 * @throws {StartError} when a server does not answer in time, or topics or schema do not fit.
 */
export async function openClusterEngine(
  cluster: ClusterSettings,
  { clock, logger, retries = startRetries(logger) }: Pick<EngineOptions, 'clock' | 'logger' | 'retries'>,
): Promise<Engine> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  const opened = async <Part extends Closable>(
    server: ServerOfCluster,
    open: () => Promise<Part>,
  ): Promise<Part> => {
    const part = await connectWithRetry(open, retries).catch((error: unknown) => {
      throw serverFailure(error, server, cluster);
    });
    closers.push(() => part.close());
    return part;
  };
  try {
    const onWarning = (message: string) => logger.warn({ said: message }, 'CassandraWarned');
    const cassandra = await opened('cassandra', () =>
      openCassandraEngine({ ...cluster.cassandra, onWarning }, clock),
    );
    const counters = await opened('redis', () => RedisCounters.open(cluster.redis));
    const limiter = await opened('redis', () => RedisLimiter.open(cluster.redis));
    const replies = await opened('redis', () => RedisReplies.open(cluster.redis));
    const approvals = await opened('redis', () => RedisApprovals.open(cluster.redis));
    const processReports = await opened('redis', () => RedisProcessReports.open(cluster.redis));
    const log = await opened('kafka', () =>
      openKafkaLog({
        options: cluster.kafka,
        logger: runtimeLogger(logger),
        clock,
        halts: loggedHalts(logger),
      }),
    );
    const { store, digestIndex, blobs, marks } = cassandra;
    const { parts } = await opened('redis', () => openProbes(cluster, store, logger));
    const tidy = async () => false;
    // What its servers have room for, their own alarms tell.
    const room = () => 'ample' as const;
    const logClock = log.clock;
    return {
      log,
      logClock,
      store,
      digestIndex,
      blobs,
      marks,
      counters,
      limiter,
      replies,
      approvals,
      processReports,
      parts,
      tidy,
      room,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
