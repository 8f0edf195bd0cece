import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, types } from 'cassandra-driver';
import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CASSANDRA_DATACENTER } from './addresses.ts';
import { CASSANDRA } from './artifacts.ts';
import { type Cluster, serversOf, startCluster, stopCluster } from './cluster.ts';
import type { Server } from './server.ts';
import { readClusterSettings } from './settings.ts';
import { findTools, MissingToolsError } from './tools.ts';

const ACKNOWLEDGED_MIN = 200;

/** Writes that end when the server is killed, and the question how many of them it holds afterwards. */
interface Writes {
  write(number: number): Promise<unknown>;
  count(): Promise<number>;
  close(): Promise<unknown>;
}

/** A server that runs in containers beside this test is fine, but here there are none to run. */
const missing = await findTools(true).then(
  () => null,
  (error: unknown) => {
    if (error instanceof MissingToolsError && process.env['CI'] !== 'true') return error.message;
    throw error;
  },
);
if (missing !== null) process.stdout.write(`Left out: a cluster of processes; ${missing}\n`);

describe.skipIf(missing !== null)('a cluster of processes', () => {
  let cluster: Cluster;
  let folder: string;
  // Below the ports that systems give to outgoing connections; the servers take five in a row.
  const base = randomInt(2_000, 3_000) * 10;
  const ports = { kafka: base, cassandra: base + 2, redis: base + 4 };
  const start = () => startCluster({ ports, folder, cache: readClusterSettings({}).cache });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-cluster-'));
    cluster = await start();
  });

  afterAll(async () => {
    await stopCluster(cluster);
    expect(serversOf(cluster).map(({ pid }) => pid)).toEqual([null, null, null]);
    await rm(folder, { recursive: true });
  });

  it('answers, with the versions that were asked for', async () => {
    const versions = await Promise.all(serversOf(cluster).map(({ spec }) => spec.probe()));
    const { redis } = await findTools(false);
    expect(versions).toEqual([null, CASSANDRA.version, redis.version]);
  });

  it('is left as it is by another start', async () => {
    const pids = serversOf(cluster).map(({ pid }) => pid);
    expect(serversOf(await start()).map(({ pid }) => pid)).toEqual(pids);
  });

  it('restarts each server by itself', async () => {
    for (const server of serversOf(cluster)) {
      const others = serversOf(cluster).filter((other) => other !== server);
      const pids = others.map(({ pid }) => pid);
      const { pid } = server;
      await server.restart();
      expect(server.pid).not.toBe(pid);
      expect(others.map((other) => other.pid)).toEqual(pids);
    }
  });

  it.each(['kafka', 'cassandra', 'redis'] as const)(
    'loses nothing that %s acknowledged before it was killed',
    async (name) => {
      const server = cluster[name];
      const writes = await OPEN[name](cluster);
      let acknowledged = 0;
      const writing = (async () => {
        for (;;) {
          await writes.write(acknowledged);
          acknowledged += 1;
        }
      })();
      const ended = writing.catch(() => 'refused');
      await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(ACKNOWLEDGED_MIN), { timeout: 90_000 });
      await server.kill();
      expect(await ended).toBe('refused');
      await writes.close();
      await server.start();
      const reopened = await OPEN[name](cluster);
      expect(await reopened.count()).toBeGreaterThanOrEqual(acknowledged);
      await reopened.close();
    },
  );
});

const OPEN: Readonly<Record<Server['spec']['name'], (cluster: Cluster) => Promise<Writes>>> = {
  kafka: openKafka,
  cassandra: openCassandra,
  redis: openRedis,
};

async function openKafka({ addresses }: Cluster): Promise<Writes> {
  const client = new Kafka({
    brokers: [addresses.kafka],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  });
  const [producer, admin] = [client.producer(), client.admin()];
  await Promise.all([producer.connect(), admin.connect()]);
  const topic = 'writes';
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  return {
    write: (number) => producer.send({ topic, acks: -1, messages: [{ key: 'key', value: `${number}` }] }),
    count: async () => {
      const [offsets] = await admin.fetchTopicOffsets(topic);
      return Number(offsets?.high);
    },
    close: () => Promise.allSettled([producer.disconnect(), admin.disconnect()]),
  };
}

async function openCassandra({ addresses }: Cluster): Promise<Writes> {
  const client = new Client({
    contactPoints: [addresses.cassandra],
    localDataCenter: CASSANDRA_DATACENTER,
    queryOptions: { prepare: true, consistency: types.consistencies.localQuorum },
  });
  await client.execute(
    "CREATE KEYSPACE IF NOT EXISTS writes WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
  );
  await client.execute('CREATE TABLE IF NOT EXISTS writes.numbers (number int PRIMARY KEY)');
  return {
    write: (number) => client.execute('INSERT INTO writes.numbers (number) VALUES (?)', [number]),
    count: async () => {
      const { rows } = await client.execute('SELECT count(*) FROM writes.numbers');
      return Number(rows[0]?.['count']);
    },
    close: () => client.shutdown(),
  };
}

async function openRedis({ addresses }: Cluster): Promise<Writes> {
  const client = new Redis(addresses.redis, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  await client.connect();
  return {
    write: () => client.incr('writes'),
    count: async () => Number(await client.get('writes')),
    close: async () => client.disconnect(),
  };
}
