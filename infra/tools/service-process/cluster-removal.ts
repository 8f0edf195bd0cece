import { Redis } from 'ioredis';
import { createClient as createCassandraClient } from '../../engines/cassandra/driver.ts';
import { connect } from '../../engines/cassandra/session.ts';
import { createClient as createKafkaClient } from '../../engines/kafka/client.ts';
import { readSettings } from '../../service/settings/settings.ts';

/** Dropping a keyspace takes a server longer than an ordinary request. */
const DROP_TIMEOUT_MS = 30_000;

const silentLogger = { warn: () => undefined, error: () => undefined };

/** Removes everything that services with these variables keep on a cluster: topics, keyspace, keys. None may run. */
export async function removeFromCluster(environment: Readonly<Record<string, string>>): Promise<void> {
  const { cluster } = readSettings(environment);
  if (cluster === null) throw new Error('removing from a cluster what is not on one');
  const admin = createKafkaClient(cluster.kafka, silentLogger).admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(cluster.kafka.prefix));
  await admin.deleteTopics({ topics });
  await admin.disconnect();
  const cassandra = createCassandraClient({ ...cluster.cassandra, requestTimeoutMs: DROP_TIMEOUT_MS });
  await connect(cassandra);
  const drop = `DROP KEYSPACE IF EXISTS ${cluster.cassandra.keyspace}`;
  await cassandra.execute(drop, [], { prepare: false });
  await cassandra.shutdown();
  const redis = new Redis(cluster.redis.url);
  for await (const keys of redis.scanStream({ match: `${cluster.redis.prefix}*` })) {
    if (keys.length > 0) await redis.unlink(keys);
  }
  redis.disconnect();
}
