import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockFolder } from '../../engines/embedded/folder-lock.ts';
import { addressesOf, type EngineAddresses, type EnginePorts } from './addresses.ts';
import { CASSANDRA, isCached, KAFKA, provide, type Report } from './artifacts.ts';
import { cassandraServer } from './cassandra.ts';
import { kafkaServer } from './kafka.ts';
import { redisServer } from './redis.ts';
import { Server } from './server.ts';
import { findTools } from './tools.ts';

export interface ClusterOptions {
  /** Data, configuration, pid files and logs. */
  readonly folder: string;
  /** The folder of the servers' jars, for every cluster of this machine. */
  readonly cache: string;
  readonly ports: EnginePorts;
  /** Takes a line for each slow step. Default: none are reported. */
  readonly report?: Report;
}

/** Three servers on this machine, each to be killed and started again by itself. */
export interface Cluster {
  readonly addresses: EngineAddresses;
  readonly kafka: Server;
  readonly cassandra: Server;
  readonly redis: Server;
}

/** The cluster of a folder, whether or not it runs. To start servers one by one, their jars have to be in the cache. */
export function clusterOf({ folder, cache, ports }: ClusterOptions): Cluster {
  const options = { folder: resolve(folder), cache: resolve(cache), tools: () => findTools(false) };
  return {
    addresses: addressesOf(ports),
    kafka: new Server(kafkaServer({ ...options, port: ports.kafka })),
    cassandra: new Server(cassandraServer({ ...options, port: ports.cassandra })),
    redis: new Server(redisServer({ ...options, port: ports.redis })),
  };
}

/** Its servers, in the order in which they are named everywhere. */
export function serversOf({ kafka, cassandra, redis }: Cluster): readonly Server[] {
  return [kafka, cassandra, redis];
}

/**
 * Starts what does not run yet and waits until all three answer. The servers outlive this process.
 *
 * @throws {MissingToolsError} when Java, Redis or Maven have to be installed first.
 * @throws {Error} when a download or a start does not succeed; servers that did start keep running.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { report = () => {} } = options;
  const cluster = clusterOf(options);
  mkdirSync(options.folder, { recursive: true });
  const lock = lockFolder(options.folder);
  try {
    await provideEverything(resolve(options.cache), report);
    const starts = serversOf(cluster).map((server) => start(server, report));
    // After a reported failure no start is under way.
    await Promise.allSettled(starts);
    await Promise.all(starts);
    return cluster;
  } finally {
    lock.release();
  }
}

/** Stops every server that runs, and keeps the data. */
export async function stopCluster(cluster: Cluster, report: Report = () => {}): Promise<void> {
  await Promise.all(
    serversOf(cluster).map(async (server) => {
      const { name } = server.spec;
      if (server.pid === null) return report(`${name}: does not run`);
      await server.stop();
      report(`${name}: stopped`);
    }),
  );
}

async function start(server: Server, report: Report): Promise<void> {
  const began = Date.now();
  const version = await server.start();
  const { name, address } = server.spec;
  const seconds = ((Date.now() - began) / 1_000).toFixed(1);
  const stated = version ?? (name === 'kafka' ? KAFKA.version : '');
  report(`${name} ${stated}: answers at ${address} after ${seconds} s (pid ${server.pid})`);
}

/** Finds the programs, then downloads one thing after the other: two Mavens must not share a repository. */
async function provideEverything(cache: string, report: Report): Promise<void> {
  const artifacts = [KAFKA, CASSANDRA];
  const cached = await Promise.all(artifacts.map((artifact) => isCached(cache, artifact)));
  const { java, redis, maven } = await findTools(cached.includes(false));
  report(`java ${java.version} (${java.program}), redis-server ${redis.version}`);
  for (const artifact of artifacts) {
    await provide(artifact, { cache, maven, report });
    report(`${artifact.name} ${artifact.version}: ${artifact.jars.size} files, as pinned`);
  }
}
