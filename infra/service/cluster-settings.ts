import { z } from 'zod';
import type { CassandraOptions } from '../cassandra/driver.ts';
import type { Replication } from '../cassandra/migrate.ts';
import type { KafkaOptions } from '../kafka/options.ts';
import type { RedisSettings } from '../redis/connection.ts';

const FACTOR_MAX = 15;

const flagSchema = z.enum(['0', '1']).transform((flag) => flag === '1');
const factorSchema = z.coerce.number().int().min(1).max(FACTOR_MAX);
const addressesSchema = z
  .string()
  .transform((text) => text.split(',').filter((part) => part !== ''))
  .pipe(
    z
      .array(z.string().regex(/^[^\s:]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/, 'expected host:port'))
      .min(1),
  );

/** The variables of an engine of servers. They count only with `SVC_ENGINE=cluster`. */
export const clusterShape = {
  /** Stands before topics and keys, so that several services can share the servers. */
  SVC_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_.-]{0,29}$/, 'expected up to 30 lower-case letters, digits, _ . and -')
    .default('svc'),
  KAFKA_BROKERS: addressesSchema.optional(),
  KAFKA_REPLICATION: factorSchema.default(3),
  KAFKA_MIN_INSYNC_REPLICAS: factorSchema.default(2),
  KAFKA_TLS: flagSchema.default(false),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).optional(),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional(),
  CASSANDRA_CONTACT_POINTS: addressesSchema.optional(),
  CASSANDRA_LOCAL_DATACENTER: z.string().min(1).default('datacenter1'),
  CASSANDRA_KEYSPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,47}$/, 'expected a lower-case name')
    .default('svc'),
  CASSANDRA_REPLICATION: factorSchema.default(3),
  CASSANDRA_TLS: flagSchema.default(false),
  CASSANDRA_USERNAME: z.string().min(1).optional(),
  CASSANDRA_PASSWORD: z.string().min(1).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
} as const;

export type ClusterEnvironment = z.infer<z.ZodObject<typeof clusterShape>>;

/** Variables whose value is never shown. A Redis address may hold a password. */
export const CLUSTER_SECRETS: readonly string[] = ['KAFKA_SASL_PASSWORD', 'CASSANDRA_PASSWORD', 'REDIS_URL'];

/** How the three servers are reached. */
export interface ClusterSettings {
  readonly kafka: KafkaOptions;
  readonly cassandra: CassandraOptions & { readonly replication: Replication };
  readonly redis: RedisSettings;
}

/** The settings of the cluster, or the names of the variables without which there is none. */
export function clusterOf(
  environment: ClusterEnvironment,
): ClusterSettings | { readonly missing: readonly string[] } {
  const { KAFKA_BROKERS: brokers, CASSANDRA_CONTACT_POINTS: contactPoints, REDIS_URL: url } = environment;
  if (brokers === undefined || contactPoints === undefined || url === undefined) {
    const needed = { KAFKA_BROKERS: brokers, CASSANDRA_CONTACT_POINTS: contactPoints, REDIS_URL: url };
    return {
      missing: Object.keys(needed).filter((name) => needed[name as keyof typeof needed] === undefined),
    };
  }
  const { KAFKA_SASL_MECHANISM: mechanism, SVC_NAMESPACE: namespace } = environment;
  const datacenter = environment.CASSANDRA_LOCAL_DATACENTER;
  return {
    kafka: {
      brokers,
      prefix: `${namespace}.`,
      replication: {
        factor: environment.KAFKA_REPLICATION,
        minInSync: environment.KAFKA_MIN_INSYNC_REPLICAS,
      },
      ...(environment.KAFKA_TLS ? { tls: {} } : {}),
      ...(mechanism === undefined
        ? {}
        : {
            sasl: {
              mechanism,
              username: environment.KAFKA_SASL_USERNAME ?? '',
              password: environment.KAFKA_SASL_PASSWORD ?? '',
            },
          }),
    },
    cassandra: {
      contactPoints,
      localDatacenter: datacenter,
      keyspace: environment.CASSANDRA_KEYSPACE,
      replication: { strategy: 'network', factors: { [datacenter]: environment.CASSANDRA_REPLICATION } },
      ...(environment.CASSANDRA_TLS ? { tls: {} } : {}),
      ...(environment.CASSANDRA_USERNAME === undefined
        ? {}
        : {
            credentials: {
              user: environment.CASSANDRA_USERNAME,
              password: environment.CASSANDRA_PASSWORD ?? '',
            },
          }),
    },
    redis: { url, prefix: `${namespace}:` },
  };
}
