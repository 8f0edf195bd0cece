import { randomBytes } from 'node:crypto';
import { addressesOf, ENGINE_VARIABLES } from '../cluster/addresses.ts';
import { readClusterSettings } from '../cluster/settings.ts';

const SUFFIX_BYTES = 6;
const SECRET_BYTES = 32;

/** The variables by which a service finds its engines: `npm run cluster -- up` prints them as well. */
const SERVICE_VARIABLES = {
  kafka: 'KAFKA_BROKERS',
  cassandra: 'CASSANDRA_CONTACT_POINTS',
  redis: 'REDIS_URL',
} as const;

/**
 * The settings of processes that share one service on a cluster of single servers: a namespace, a keyspace and secrets
 * that no other process has, so that any number of them can use the same servers. The servers are those of the tests'
 * variables, else of a service's, else where the launcher puts them.
 */
export function clusterEnvironment(variables = process.env): Record<string, string> {
  const usual = addressesOf(readClusterSettings(variables).ports);
  const [kafka, cassandra, redis] = (['kafka', 'cassandra', 'redis'] as const).map(
    (engine) => variables[ENGINE_VARIABLES[engine]] ?? variables[SERVICE_VARIABLES[engine]] ?? usual[engine],
  ) as [string, string, string];
  const suffix = randomBytes(SUFFIX_BYTES).toString('hex');
  return {
    SVC_ENGINE: 'cluster',
    SVC_NAMESPACE: `svc_${suffix}`,
    SVC_SECRET: randomBytes(SECRET_BYTES).toString('hex'),
    SVC_IDENTITY_SECRET: randomBytes(SECRET_BYTES).toString('hex'),
    KAFKA_BROKERS: kafka,
    KAFKA_REPLICATION: '1',
    KAFKA_MIN_INSYNC_REPLICAS: '1',
    CASSANDRA_CONTACT_POINTS: cassandra,
    CASSANDRA_KEYSPACE: `svc_${suffix}`,
    CASSANDRA_REPLICATION: '1',
    REDIS_URL: redis,
  };
}
