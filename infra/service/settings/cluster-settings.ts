import { z } from 'zod';
import type { CassandraOptions } from '../../engines/cassandra/driver.ts';
import type { Replication } from '../../engines/cassandra/migrate.ts';
import type { KafkaOptions } from '../../engines/kafka/options.ts';
import type { RedisSettings } from '../../engines/redis/connection.ts';
import type { TlsOptions } from '../../engines/shared/tls.ts';

const FACTOR_MAX = 15;

/** The parts of a list with commas, without blanks around them. */
export function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const flagSchema = z.enum(['0', '1']).transform((flag) => flag === '1');
const factorSchema = z.coerce.number().int().min(1).max(FACTOR_MAX);
const addressesSchema = z
  .string()
  .transform((text) => partsOf(text))
  .pipe(
    z
      .array(z.string().regex(/^[^\s:]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/, 'expected host:port'))
      .min(1),
  );

const pemSchema = z
  .string()
  .regex(/-----BEGIN [A-Z ]+-----/, 'expected PEM')
  .optional();
const optionalSchema = z.string().min(1).optional();

/** The servers, by the beginnings of the names of their variables. */
type ServerName = 'KAFKA' | 'CASSANDRA' | 'REDIS';
type TlsPart = 'CA' | 'CERTIFICATE' | 'KEY' | 'SERVER_NAME';
type TlsVariable = `${ServerName}_TLS_${TlsPart}`;

/** The mutual authentication with each server, the same for all. */
function tlsShape<Name extends ServerName>(name: Name) {
  const shape = {
    [`${name}_TLS_CA`]: pemSchema,
    [`${name}_TLS_CERTIFICATE`]: pemSchema,
    [`${name}_TLS_KEY`]: pemSchema,
    [`${name}_TLS_SERVER_NAME`]: optionalSchema,
  };
  return shape as Record<`${Name}_TLS_${TlsPart}`, typeof pemSchema>;
}

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
  ...tlsShape('KAFKA'),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: optionalSchema,
  KAFKA_SASL_PASSWORD: optionalSchema,
  CASSANDRA_CONTACT_POINTS: addressesSchema.optional(),
  CASSANDRA_LOCAL_DATACENTER: z.string().min(1).default('datacenter1'),
  CASSANDRA_KEYSPACE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,47}$/, 'expected a lower-case name')
    .default('svc'),
  CASSANDRA_REPLICATION: factorSchema.default(3),
  CASSANDRA_TLS: flagSchema.default(false),
  ...tlsShape('CASSANDRA'),
  CASSANDRA_USERNAME: optionalSchema,
  CASSANDRA_PASSWORD: optionalSchema,
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  ...tlsShape('REDIS'),
  REDIS_USERNAME: optionalSchema,
  REDIS_PASSWORD: optionalSchema,
} as const;

export type ClusterEnvironment = z.infer<z.ZodObject<typeof clusterShape>>;

/** Variables whose value is never shown. A Redis address may hold a password. */
export const CLUSTER_SECRETS: readonly string[] = [
  'KAFKA_SASL_PASSWORD',
  'KAFKA_TLS_KEY',
  'CASSANDRA_PASSWORD',
  'CASSANDRA_TLS_KEY',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'REDIS_TLS_KEY',
];

/** The addresses and credentials of the three servers. */
export interface ClusterSettings {
  readonly kafka: KafkaOptions;
  readonly cassandra: CassandraOptions & { readonly replication: Replication };
  readonly redis: RedisSettings;
}

/** The settings of the cluster, or a line that says why there is none. */
export function clusterOf(environment: ClusterEnvironment): ClusterSettings | { readonly problem: string } {
  const { KAFKA_BROKERS: brokers, CASSANDRA_CONTACT_POINTS: contactPoints, REDIS_URL: url } = environment;
  if (brokers === undefined || contactPoints === undefined || url === undefined) {
    const needed = { KAFKA_BROKERS: brokers, CASSANDRA_CONTACT_POINTS: contactPoints, REDIS_URL: url };
    const missing = Object.entries(needed).filter(([, value]) => value === undefined);
    const names = missing.map(([name]) => name).join(', ');
    return { problem: `${names}: seen nothing; SVC_ENGINE=cluster needs them` };
  }
  const problem = contradictionIn(environment, url);
  if (problem !== null) return { problem };
  return {
    kafka: { brokers, ...kafkaOptions(environment) },
    cassandra: { contactPoints, ...cassandraOptions(environment) },
    redis: { url, ...redisOptions(environment, url) },
  };
}

function kafkaOptions(environment: ClusterEnvironment) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username } = environment;
  const password = environment.KAFKA_SASL_PASSWORD;
  return {
    prefix: `${environment.SVC_NAMESPACE}.`,
    replication: {
      factor: environment.KAFKA_REPLICATION,
      minInSync: environment.KAFKA_MIN_INSYNC_REPLICAS,
    },
    ...(environment.KAFKA_TLS && { tls: tlsOf(environment, 'KAFKA') }),
    ...(mechanism !== undefined &&
      username !== undefined &&
      password !== undefined && { sasl: { mechanism, username, password } }),
  };
}

function cassandraOptions(environment: ClusterEnvironment) {
  const { CASSANDRA_USERNAME: user, CASSANDRA_PASSWORD: password } = environment;
  const datacenter = environment.CASSANDRA_LOCAL_DATACENTER;
  return {
    localDatacenter: datacenter,
    keyspace: environment.CASSANDRA_KEYSPACE,
    replication: {
      strategy: 'network',
      factors: { [datacenter]: environment.CASSANDRA_REPLICATION },
    } as const,
    ...(environment.CASSANDRA_TLS && { tls: tlsOf(environment, 'CASSANDRA') }),
    ...(user !== undefined && password !== undefined && { credentials: { user, password } }),
  };
}

function redisOptions(environment: ClusterEnvironment, url: string) {
  const { REDIS_USERNAME: username, REDIS_PASSWORD: password } = environment;
  return {
    prefix: `${environment.SVC_NAMESPACE}:`,
    ...(isOverTls(url) && { tls: tlsOf(environment, 'REDIS') }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

function tlsOf(environment: ClusterEnvironment, server: ServerName): TlsOptions {
  const value = (part: TlsPart) => environment[`${server}_TLS_${part}`];
  const [ca, certificate, key] = [value('CA'), value('CERTIFICATE'), value('KEY')];
  const serverName = value('SERVER_NAME');
  return {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { serverName }),
  };
}

/** Names settings that belong together and are set in part, in one line; null if there are none. */
function contradictionIn(environment: ClusterEnvironment, url: string): string | null {
  const { username, password } = new URL(url);
  if (
    username + password !== '' &&
    (environment.REDIS_USERNAME ?? environment.REDIS_PASSWORD) !== undefined
  ) {
    return 'REDIS_URL, REDIS_USERNAME, REDIS_PASSWORD: seen a user or a password in both ways; use one of them';
  }
  if (environment.REDIS_USERNAME !== undefined && environment.REDIS_PASSWORD === undefined) {
    return 'REDIS_USERNAME: seen without REDIS_PASSWORD';
  }
  return (
    tlsContradiction(environment, 'KAFKA', environment.KAFKA_TLS, 'KAFKA_TLS=1') ??
    tlsContradiction(environment, 'CASSANDRA', environment.CASSANDRA_TLS, 'CASSANDRA_TLS=1') ??
    tlsContradiction(environment, 'REDIS', isOverTls(url), 'a REDIS_URL with rediss://') ??
    partly(environment, ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']) ??
    partly(environment, ['CASSANDRA_USERNAME', 'CASSANDRA_PASSWORD'])
  );
}

function tlsContradiction(
  environment: ClusterEnvironment,
  server: ServerName,
  isOn: boolean,
  toBeOn: string,
): string | null {
  const names: readonly TlsVariable[] = [
    `${server}_TLS_CA`,
    `${server}_TLS_CERTIFICATE`,
    `${server}_TLS_KEY`,
    `${server}_TLS_SERVER_NAME`,
  ];
  const set = names.find((name) => environment[name] !== undefined);
  if (!isOn && set !== undefined) return `${set}: seen without TLS; it needs ${toBeOn}`;
  return partly(environment, [`${server}_TLS_CERTIFICATE`, `${server}_TLS_KEY`]);
}

function partly(
  environment: ClusterEnvironment,
  names: readonly (keyof ClusterEnvironment)[],
): string | null {
  const set = names.filter((name) => environment[name] !== undefined);
  if (set.length === 0 || set.length === names.length) return null;
  return `${names.join(', ')}: seen some of them; set all or none`;
}

function isOverTls(url: string): boolean {
  return new URL(url).protocol === 'rediss:';
}
