import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient as createCassandraClient } from '../../../engines/cassandra/driver.ts';
import { createClient as createKafkaClient } from '../../../engines/kafka/client.ts';
import { silent } from '../../../engines/kafka/kafka-log.fixture.ts';
import type { KafkaSasl } from '../../../engines/kafka/options.ts';
import { connect } from '../../../engines/redis/connection.ts';
import type { TlsOptions } from '../../../engines/shared/tls.ts';
import { CASSANDRA_DATACENTER, type EnginePorts, HOST } from '../../../tools/cluster/addresses.ts';
import { jarFolder, KAFKA } from '../../../tools/cluster/artifacts.ts';
import { cassandraServer } from '../../../tools/cluster/cassandra.ts';
import {
  type ServerOptions as AnyServerOptions,
  assertServing,
  kafkaServer,
} from '../../../tools/cluster/kafka.ts';
import { redisServer } from '../../../tools/cluster/redis.ts';
import { outputOf } from '../../../tools/cluster/run.ts';
import { Server, type ServerSpec } from '../../../tools/cluster/server.ts';
import type { Certificates } from './certificates.fixture.ts';

/** Whom every server lets in. */
export const USER = 'svc';
export const PASSWORD = 'correct-horse-battery';

/** The user that Cassandra makes itself. */
const FIRST_USER = { user: 'cassandra', password: 'cassandra' };

const FORMAT_MS_MAX = 60_000;

export interface SecuredClusterOptions {
  readonly folder: string;
  readonly cache: string;
  readonly ports: EnginePorts;
  readonly tools: AnyServerOptions['tools'];
  readonly certificates: Certificates;
  /** The client's certificate, key and trusted authority. */
  readonly tls: TlsOptions;
}

/** Kafka, Cassandra and Redis that speak TLS only, ask for a certificate, a user and a password. */
export function securedServers(options: SecuredClusterOptions): readonly Server[] {
  return [securedKafka(options), securedCassandra(options), securedRedis(options)].map(
    (spec) => new Server(spec),
  );
}

function securedKafka({ certificates, tls, ports, ...options }: SecuredClusterOptions): ServerSpec {
  const base = kafkaServer({ ...options, port: ports.kafka });
  const [name = '', text = ''] = Object.entries(base.files)[0] ?? [];
  const login = 'org.apache.kafka.common.security';
  const listener = 'listener.name.sasl_ssl';
  const broker = 'username="broker" password="broker"';
  const secured = `${text}
listeners=SASL_SSL://${base.address},CONTROLLER://${HOST}:${ports.kafka + 1}
listener.security.protocol.map=SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT
inter.broker.listener.name=SASL_SSL
sasl.mechanism.inter.broker.protocol=PLAIN
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
${listener}.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required ${broker} user_broker="broker" user_${USER}="${PASSWORD}";
${listener}.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;
${listener}.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;
${listener}.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${certificates.server}
ssl.truststore.type=PEM
ssl.truststore.location=${certificates.authority}
`;
  return {
    ...base,
    files: { [name]: secured },
    prepare: async () => {
      const { java } = await options.tools();
      await formatWithUser(java.program, jarFolder(options.cache, KAFKA), join(base.folder, name));
      return await base.prepare();
    },
    probe: () => probeKafka(base.address, tls),
  };
}

/** Users that log in by SCRAM are kept in the log of the controller, which begins with the formatting. */
async function formatWithUser(java: string, jars: string, properties: string): Promise<void> {
  const cluster = Buffer.from('secured-for-test').toString('base64url');
  const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name="${USER}",password="${PASSWORD}"]`,
  ]);
  const tool = ['-cp', join(jars, '*'), 'kafka.tools.StorageTool', 'format', '--cluster-id', cluster];
  if ((await outputOf(java, [...tool, '--config', properties, ...users], FORMAT_MS_MAX)) === null) {
    throw new Error('formatting the folder of a broker with users');
  }
}

async function probeKafka(address: string, tls: TlsOptions): Promise<null> {
  const sasl: KafkaSasl = { mechanism: 'plain', username: USER, password: PASSWORD };
  await assertServing(createKafkaClient({ brokers: [address], prefix: '', tls, sasl }, silent).admin());
  return null;
}

function securedCassandra({ certificates, tls, ports, ...options }: SecuredClusterOptions): ServerSpec {
  const base = cassandraServer({ ...options, port: ports.cassandra });
  const name = 'conf/cassandra.yaml';
  const secured = `${base.files[name]}
authenticator: PasswordAuthenticator
client_encryption_options:
  enabled: true
  require_client_auth: true
  ssl_context_factory:
    class_name: org.apache.cassandra.security.PEMBasedSslContextFactory
  keystore: ${certificates.server}
  truststore: ${certificates.authority}
`;
  return {
    ...base,
    files: { ...base.files, [name]: secured },
    prepare: async () => {
      const [program, ...args] = await base.prepare();
      // Its first user is there at once instead of after ten seconds.
      return [program, '-Dcassandra.superuser_setup_delay_ms=0', ...args];
    },
    probe: () => makeCassandraUser(base.address, tls),
  };
}

/** The first user makes ours, which can be done again. */
async function makeCassandraUser(address: string, tls: TlsOptions): Promise<string> {
  const client = createCassandraClient({
    contactPoints: [address],
    localDatacenter: CASSANDRA_DATACENTER,
    keyspace: 'system',
    tls,
    credentials: FIRST_USER,
  });
  try {
    const role = `CREATE ROLE IF NOT EXISTS ${USER} WITH PASSWORD = '${PASSWORD}' AND LOGIN = true`;
    await client.execute(role, [], { prepare: false });
    const { rows } = await client.execute('SELECT release_version FROM system.local');
    return String(rows[0]?.['release_version']);
  } finally {
    await client.shutdown();
  }
}

function securedRedis({ certificates, tls, ports, ...options }: SecuredClusterOptions): ServerSpec {
  const base = redisServer({ ...options, port: ports.redis });
  const [name = '', text = ''] = Object.entries(base.files)[0] ?? [];
  const secured = `${text}
port 0
tls-port ${ports.redis}
tls-cert-file ${certificates.serverCertificate}
tls-key-file ${certificates.serverKey}
tls-ca-cert-file ${certificates.authority}
tls-auth-clients yes
user default off
user ${USER} on >${PASSWORD} ~* &* +@all
`;
  const address = base.address.replace('redis:', 'rediss:');
  return {
    ...base,
    address,
    files: { [name]: secured },
    probe: async () => {
      const client = await connect({ url: address, prefix: '', tls, username: USER, password: PASSWORD });
      try {
        return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? null;
      } finally {
        client.disconnect();
      }
    },
  };
}

/** The folder in which the servers of a test keep their certificates. */
export function certificateFolder(folder: string): string {
  const path = join(folder, 'certificates');
  mkdirSync(path, { recursive: true });
  return path;
}
