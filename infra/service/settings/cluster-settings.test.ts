import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from './settings.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const KEY = '-----BEGIN PRIVATE KEY-----\nprivate-bytes\n-----END PRIVATE KEY-----';

const CLUSTER = {
  SVC_ENGINE: 'cluster',
  SVC_SECRET: 's'.repeat(32),
  SVC_IDENTITY_SECRET: 'i'.repeat(32),
  KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092',
  CASSANDRA_CONTACT_POINTS: 'cassandra-1',
  REDIS_URL: 'redis://redis:6379',
};

const clusterOf = (variables: Record<string, string> = {}) =>
  readSettings({ ...CLUSTER, ...variables }).cluster!;

const problem = (variables: Record<string, string>): string => {
  try {
    clusterOf(variables);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return 'none';
};

describe('the settings of a cluster', () => {
  it('let gateways share a port, if they have no other role', () => {
    const variables = { ...CLUSTER, SVC_GATEWAY_PROCESSES: '4' };
    expect(readSettings({ ...variables, SVC_ROLES: 'gateway' }).gatewayProcesses).toBe(4);
    expect(problem({ ...variables, SVC_ROLES: 'gateway,workers' })).toBe(
      'SVC_GATEWAY_PROCESSES: seen 4 with SVC_ROLES=gateway,workers; only a gateway that has no other role shares its port',
    );
  });

  it('are addresses, and otherwise what three servers of each sort need', () => {
    expect(clusterOf()).toEqual({
      kafka: {
        brokers: ['kafka-1:9092', 'kafka-2:9092'],
        prefix: 'svc.',
        replication: { factor: 3, minInSync: 2 },
      },
      cassandra: {
        contactPoints: ['cassandra-1'],
        localDatacenter: 'datacenter1',
        keyspace: 'svc',
        replication: { strategy: 'network', factors: { datacenter1: 3 } },
      },
      redis: { url: 'redis://redis:6379', prefix: 'svc:' },
    });
  });

  it('turn TLS on with the authorities that Node trusts', () => {
    const { kafka, cassandra, redis } = clusterOf({
      KAFKA_TLS: '1',
      CASSANDRA_TLS: '1',
      REDIS_URL: 'rediss://redis:6379',
    });
    expect([kafka.tls, cassandra.tls, redis.tls]).toEqual([{}, {}, {}]);
  });

  it.each(['KAFKA', 'CASSANDRA', 'REDIS'] as const)('say of %s whom to believe and who we are', (server) => {
    const cluster = clusterOf({
      KAFKA_TLS: '1',
      CASSANDRA_TLS: '1',
      REDIS_URL: 'rediss://redis:6379',
      [`${server}_TLS_CA`]: PEM,
      [`${server}_TLS_CERTIFICATE`]: PEM,
      [`${server}_TLS_KEY`]: KEY,
      [`${server}_TLS_SERVER_NAME`]: 'engine.example',
    });
    const engine = server.toLowerCase() as Lowercase<typeof server>;
    const whole = { ca: PEM, certificate: PEM, key: KEY, serverName: 'engine.example' };
    expect(cluster[engine].tls).toEqual(whole);
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('let us into Kafka by %s', (mechanism) => {
    const { kafka } = clusterOf({
      KAFKA_SASL_MECHANISM: mechanism,
      KAFKA_SASL_USERNAME: 'svc',
      KAFKA_SASL_PASSWORD: 'secret',
    });
    expect(kafka.sasl).toEqual({ mechanism, username: 'svc', password: 'secret' });
  });

  it('let us into Cassandra and Redis by user and password', () => {
    const { cassandra, redis } = clusterOf({
      CASSANDRA_USERNAME: 'svc',
      CASSANDRA_PASSWORD: 'secret',
      REDIS_USERNAME: 'svc',
      REDIS_PASSWORD: 'other',
    });
    expect(cassandra.credentials).toEqual({ user: 'svc', password: 'secret' });
    expect(redis).toMatchObject({ username: 'svc', password: 'other' });
    expect(clusterOf({ REDIS_PASSWORD: 'other' }).redis).not.toHaveProperty('username');
  });

  it('takes lists with blanks and line ends around their parts', () => {
    const { kafka, cassandra } = clusterOf({
      KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9092\n',
      CASSANDRA_CONTACT_POINTS: ' 10.0.0.1 ,10.0.0.2',
    });
    expect(kafka.brokers).toEqual(['kafka-1:9092', 'kafka-2:9092']);
    expect(cassandra.contactPoints).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it.each([
    [{ KAFKA_BROKERS: '', REDIS_URL: '' }, /^KAFKA_BROKERS, REDIS_URL: seen nothing/],
    [{ KAFKA_BROKERS: ' , ' }, /^KAFKA_BROKERS: /],
    [{ KAFKA_BROKERS: 'kafka 1' }, /^KAFKA_BROKERS: .*host:port/],
    [{ REDIS_URL: 'http://redis' }, /^REDIS_URL: /],
    [{ KAFKA_TLS_CA: PEM }, /^KAFKA_TLS_CA: seen without TLS; it needs KAFKA_TLS=1/],
    [{ REDIS_TLS_SERVER_NAME: 'redis' }, /^REDIS_TLS_SERVER_NAME: seen without TLS; .*rediss:/],
    [{ KAFKA_TLS: '1', KAFKA_TLS_CA: '/etc/ssl/ca.pem' }, /^KAFKA_TLS_CA: .*expected PEM/],
    [
      { CASSANDRA_TLS: '1', CASSANDRA_TLS_KEY: KEY },
      /^CASSANDRA_TLS_CERTIFICATE, CASSANDRA_TLS_KEY: seen some/,
    ],
    [{ KAFKA_SASL_USERNAME: 'svc' }, /^KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, .*: seen some of them/],
    [{ CASSANDRA_PASSWORD: 'secret' }, /^CASSANDRA_USERNAME, CASSANDRA_PASSWORD: seen some of them/],
    [{ REDIS_USERNAME: 'svc' }, /^REDIS_USERNAME: seen without REDIS_PASSWORD/],
    [{ REDIS_URL: 'redis://svc:secret@redis', REDIS_PASSWORD: 'x' }, /^REDIS_URL, .*: seen .* in both ways/],
  ])('stop the start at %j', (variables, message) => {
    expect(problem(variables)).toMatch(message);
  });

  it('never show a password or a key', () => {
    const shown = [
      problem({ REDIS_URL: 'redis//svc:secret@redis' }),
      problem({ KAFKA_TLS: '1', KAFKA_TLS_KEY: 'private-bytes' }),
      problem({ REDIS_URL: 'redis://svc:secret@redis', REDIS_PASSWORD: 'secret' }),
    ];
    for (const message of shown) expect(message).toMatch(/^[A-Z_, ]+: seen/);
    expect(shown.join()).not.toMatch(/secret|private/);
  });
});

describe('a setting in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-settings-'));
    writeFileSync(join(folder, 'password'), 'from a file\n');
    writeFileSync(join(folder, 'ca.pem'), `${PEM}\n`);
    writeFileSync(join(folder, 'empty'), '\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string) => join(folder, name);

  it('counts as if it were set, without the end of its line', () => {
    const { kafka, cassandra } = clusterOf({
      KAFKA_TLS: '1',
      KAFKA_TLS_CA_FILE: file('ca.pem'),
      CASSANDRA_USERNAME: 'svc',
      CASSANDRA_PASSWORD_FILE: file('password'),
    });
    expect(kafka.tls).toEqual({ ca: PEM });
    expect(cassandra.credentials).toEqual({ user: 'svc', password: 'from a file' });
  });

  it.each([
    [{ REDIS_PASSWORD_FILE: 'missing' }, /^REDIS_PASSWORD_FILE: seen ".*missing"; expected a readable file/],
    [{ REDIS_PASSWORD_FILE: 'empty' }, /^REDIS_PASSWORD_FILE: seen nothing in ".*empty"/],
    [
      { REDIS_PASSWORD_FILE: 'password', REDIS_PASSWORD: 'x' },
      /^REDIS_PASSWORD, REDIS_PASSWORD_FILE: seen both/,
    ],
  ])('stops the start at %j', (variables, message) => {
    const paths = Object.entries(variables).map(([name, value]) => [
      name,
      name.endsWith('_FILE') ? file(value) : value,
    ]);
    expect(problem(Object.fromEntries(paths))).toMatch(message);
  });
});
