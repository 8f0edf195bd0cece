import { join } from 'node:path';
import { Redis } from 'ioredis';
import { HOST } from './addresses.ts';
import type { ServerOptions } from './kafka.ts';
import type { ServerSpec } from './server.ts';

const PROBE_MS_MAX = 2_000;
const SETTINGS = 'redis.conf';

export function redisServer({ folder, port, tools }: ServerOptions): ServerSpec {
  const own = join(folder, 'redis');
  return {
    name: 'redis',
    address: `redis://${HOST}:${port}`,
    ports: [port],
    folder: own,
    logFile: join(folder, 'logs', 'redis.log'),
    files: { [SETTINGS]: renderSettings(own, port) },
    prepare: async () => [(await tools()).redis.program, join(own, SETTINGS)],
    probe: () => probeRedis(port),
  };
}

/**
 * The server's settings. Replies are hints and need no file. Counters do: a limit of sign-ins an hour that a restart sets
 * back to zero is no limit. So every write is in a file before it is answered, and on disk within a second: `kill -9`
 * takes nothing, a power cut the counts of the last second or two. Memory is bounded, and a full server refuses writes,
 * for to forget a counter in silence would open what it guards.
 */
function renderSettings(own: string, port: number): string {
  return `bind ${HOST}
port ${port}
dir ${own}
appendonly yes
appendfsync everysec
save ""
maxmemory 256mb
maxmemory-policy noeviction
# The process keeps its command line, by which it is recognised.
set-proc-title no
`;
}

async function probeRedis(port: number): Promise<string | null> {
  const client = new Redis(port, HOST, {
    lazyConnect: true,
    connectTimeout: PROBE_MS_MAX,
    commandTimeout: PROBE_MS_MAX,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  });
  // A refused connection rejects the call below; without a listener ioredis would print it, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? null;
  } finally {
    client.disconnect();
  }
}
