import { describe, expect, it } from 'vitest';
import { cassandraServer } from './cassandra.ts';
import { kafkaServer } from './kafka.ts';
import { redisServer } from './redis.ts';
import type { ServerSpec } from './server.ts';

const options = {
  folder: '/data/cluster',
  cache: '/cache',
  port: 25_000,
  tools: () => Promise.reject(new Error('rendering asks for no program')),
};

/** The lines of a configuration file that set something. */
function linesOf({ files }: ServerSpec, file: string): string[] {
  const lines = (files[file] ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the configuration of', () => {
  it('Kafka names its ports and folder, and makes no topic by itself', () => {
    const spec = kafkaServer(options);
    expect(spec.ports).toEqual([25_000, 25_001]);
    expect(linesOf(spec, 'server.properties')).toEqual(
      expect.arrayContaining([
        'process.roles=broker,controller',
        'listeners=PLAINTEXT://127.0.0.1:25000,CONTROLLER://127.0.0.1:25001',
        'controller.quorum.voters=1@127.0.0.1:25001',
        'log.dirs=/data/cluster/kafka/data',
        'auto.create.topics.enable=false',
        'unclean.leader.election.enable=false',
      ]),
    );
  });

  it('Cassandra names its ports and folders, and writes to disk before it answers', () => {
    const spec = cassandraServer(options);
    expect(spec.ports).toEqual([25_000, 25_001]);
    const lines = linesOf(spec, 'conf/cassandra.yaml');
    expect(lines).toEqual(
      expect.arrayContaining([
        'native_transport_port: 25000',
        'storage_port: 25001',
        '- seeds: 127.0.0.1:25001',
        '- /data/cluster/cassandra/data',
        'commitlog_sync: batch',
        'paxos_variant: v2',
        'concurrent_writes: 64',
      ]),
    );
    const elsewhere = lines.filter(
      (line) => line.includes('/') && !line.includes('/data/cluster/cassandra/'),
    );
    expect(elsewhere).toEqual([]);
  });

  it('Redis keeps its counters over a restart and forgets none of them for want of memory', () => {
    const spec = redisServer(options);
    expect(spec.ports).toEqual([25_000]);
    expect(linesOf(spec, 'redis.conf')).toEqual(
      expect.arrayContaining([
        'port 25000',
        'dir /data/cluster/redis',
        'appendonly yes',
        'maxmemory-policy noeviction',
      ]),
    );
  });

  it('each is reachable from this machine only', () => {
    const specs = [kafkaServer(options), cassandraServer(options), redisServer(options)];
    const text = specs.flatMap(({ files }) => Object.values(files)).join('\n');
    expect(text).not.toMatch(/0\.0\.0\.0|::(?!\/)|localhost/);
    expect(specs.every(({ address }) => address.includes('127.0.0.1:25000'))).toBe(true);
  });
});
