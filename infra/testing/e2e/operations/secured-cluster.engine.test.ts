import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../../topics/ports/failures.ts';
import { CassandraSession } from '../../../engines/cassandra/session.ts';
import { Administrator } from '../../../engines/kafka/administrator.ts';
import { silent } from '../../../engines/kafka/kafka-log.fixture.ts';
import type { KafkaSasl } from '../../../engines/kafka/options.ts';
import { connect } from '../../../engines/redis/connection.ts';
import type { TlsOptions } from '../../../engines/shared/tls.ts';
import { CASSANDRA_DATACENTER } from '../../../tools/cluster/addresses.ts';
import type { Server } from '../../../tools/cluster/server.ts';
import { readClusterSettings } from '../../../tools/cluster/settings.ts';
import { findTools, MissingToolsError } from '../../../tools/cluster/tools.ts';
import { clusterEnvironment } from '../../../tools/service-process/cluster-environment.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { type Certificates, makeCertificates, SERVER_NAME } from './certificates.fixture.ts';
import { certificateFolder, PASSWORD, securedServers, USER } from './secured-cluster.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];

const missing = await findTools(true).then(
  () => null,
  (error: unknown) => {
    if (error instanceof MissingToolsError && process.env['CI'] !== 'true') return error.message;
    throw error;
  },
);
if (missing !== null) process.stdout.write(`Left out: servers with TLS and passwords; ${missing}\n`);

/** Credentials that a client shows to a server, and the certificates that it trusts. */
interface Visitor {
  readonly tls: TlsOptions;
  readonly user: string;
  readonly password: string;
  readonly mechanism: KafkaSasl['mechanism'];
}

describe.skipIf(missing !== null)('servers with TLS and passwords', () => {
  // Below the ports that systems give to outgoing connections; the servers take five in a row.
  const base = randomInt(2_000, 3_000) * 10;
  const ports = { kafka: base, cassandra: base + 2, redis: base + 4 };
  let folder: string;
  let certificates: Certificates;
  let servers: readonly Server[];
  let known: Visitor;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-secured-'));
    certificates = makeCertificates(certificateFolder(folder));
    const tls = {
      ca: textOf(certificates.authority),
      certificate: textOf(certificates.client),
      key: textOf(certificates.clientKey),
    };
    known = { tls, user: USER, password: PASSWORD, mechanism: 'scram-sha-512' };
    const { cache } = readClusterSettings({});
    servers = securedServers({ folder, cache, ports, tools: () => findTools(false), certificates, tls });
    await Promise.all(servers.map((server) => server.start()));
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });

  const addressOf = (engine: keyof typeof ports) => `127.0.0.1:${ports[engine]}`;

  /** Goes to each server and asks it something. */
  const visits = {
    kafka: async ({ tls, user, password, mechanism }: Visitor) => {
      const sasl = { mechanism, username: user, password };
      const options = { brokers: [addressOf('kafka')], prefix: '', tls, sasl };
      const administrator = new Administrator(options, silent);
      try {
        await administrator.ask((admin) => admin.listTopics());
      } finally {
        await administrator.close();
      }
    },
    cassandra: async ({ tls, user, password }: Visitor) => {
      const session = await CassandraSession.open({
        contactPoints: [addressOf('cassandra')],
        localDatacenter: CASSANDRA_DATACENTER,
        keyspace: 'system',
        tls,
        credentials: { user, password },
      });
      await session.close();
    },
    redis: async ({ tls, user, password }: Visitor) => {
      const url = `rediss://${addressOf('redis')}`;
      const client = await connect({ url, prefix: '', tls, username: user, password });
      await client.ping();
      client.disconnect();
    },
  };

  describe.each(Object.keys(visits) as (keyof typeof visits)[])('%s', (engine) => {
    const visit = visits[engine];

    it('lets us in, also under a name that its address is not', async () => {
      await visit(known);
      await visit({ ...known, tls: { ...known.tls, serverName: SERVER_NAME } });
    });

    it.concurrent.each([
      ['another name', () => ({ ...known.tls, serverName: 'other.test' })],
      ['an authority that we do not know', () => ({ ...known.tls, ca: textOf(certificates.stranger) })],
      ['no certificate of ours', () => ({ ca: textOf(certificates.authority) })],
    ] as const)('is not reached with %s', async (_, tls) => {
      await expect(visit({ ...known, tls: tls() })).rejects.toThrow(EngineUnavailableError);
    });

    it.concurrent('is not reached with a wrong password', async () => {
      await expect(visit({ ...known, password: 'wrong' })).rejects.toThrow(EngineUnavailableError);
    });
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'of Kafka let us in by %s',
    async (mechanism) => {
      await visits.kafka({ ...known, mechanism });
    },
  );

  it('carry the whole service, whose secrets are in files', async () => {
    const password = join(folder, 'password');
    writeFileSync(password, `${PASSWORD}\n`);
    const service = await ServiceProcess.start({
      environment: {
        ...clusterEnvironment(),
        KAFKA_BROKERS: addressOf('kafka'),
        KAFKA_TLS: '1',
        KAFKA_SASL_MECHANISM: 'scram-sha-256',
        KAFKA_SASL_USERNAME: USER,
        KAFKA_SASL_PASSWORD_FILE: password,
        CASSANDRA_CONTACT_POINTS: addressOf('cassandra'),
        CASSANDRA_TLS: '1',
        CASSANDRA_USERNAME: USER,
        CASSANDRA_PASSWORD_FILE: password,
        REDIS_URL: `rediss://${addressOf('redis')}`,
        REDIS_USERNAME: USER,
        REDIS_PASSWORD_FILE: password,
        ...Object.assign({}, ...(['KAFKA', 'CASSANDRA', 'REDIS'] as const).map(certificateVariables)),
      },
    });
    try {
      const customer = await ImportsCustomer.of(service, FIELDS);
      const change = customer.configuration(1, FIELDS);
      expect((await customer.agent('POST', '/schemas', change)).status).toBe(201);
      expect((await customer.send('GET', '/readyz', {})).status).toBe(200);
      expect(service.output).not.toContain(PASSWORD);
    } finally {
      await service.dispose();
    }
  });

  function certificateVariables(server: 'KAFKA' | 'CASSANDRA' | 'REDIS'): Record<string, string> {
    return {
      [`${server}_TLS_CA_FILE`]: certificates.authority,
      [`${server}_TLS_CERTIFICATE_FILE`]: certificates.client,
      [`${server}_TLS_KEY_FILE`]: certificates.clientKey,
      [`${server}_TLS_SERVER_NAME`]: SERVER_NAME,
    };
  }
});

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}
