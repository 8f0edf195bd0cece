import type { Redis } from 'ioredis';
import { ask } from './connection.ts';

const ENGINE = 'server';
const KEEPS_EVERYTHING = 'noeviction';

/** The settings of a Redis server that the limiter depends on, read from `INFO`. */
export interface RedisConditions {
  /** The eviction policy; null if the server does not report it. */
  readonly evictionPolicy: string | null;
  /** The memory limit in bytes; 0 means none. */
  readonly memoryBytesMax: number;
  readonly replicas: number;
  /** True if the server rejects writes that no replica would receive (`min-replicas-to-write`). */
  readonly replicasRequired: boolean;
}

/**
 * Reads the conditions; null if the server's access rules deny this user the command.
 *
 * @throws {EngineUnavailableError} if the server does not answer
 */
export async function readConditions(redis: Redis): Promise<RedisConditions | null> {
  try {
    const text = await ask(redis, ENGINE, async () =>
      [await redis.info('memory'), await redis.info('replication')].join('\n'),
    );
    return conditionsIn(text);
  } catch (error) {
    const said = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    // The server has answered, so it is available.
    if (said.startsWith('NOPERM')) return null;
    throw error;
  }
}

/** Reads the relevant members of the answers to `INFO memory` and `INFO replication`. */
export function conditionsIn(text: string): RedisConditions {
  const members = new Map(
    [...text.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return {
    evictionPolicy: members.get('maxmemory_policy') ?? null,
    memoryBytesMax: Number(members.get('maxmemory') ?? 0),
    replicas: Number(members.get('connected_slaves') ?? 0),
    // The server reports its good replicas only if it requires some.
    replicasRequired: members.has('min_slaves_good_slaves'),
  };
}

/**
 * Returns the reason why the server must not be used, or null. A server that evicts keys loses revocations and
 * counters, and so admits more than a limit allows.
 */
export function evictionFault({ evictionPolicy, memoryBytesMax }: RedisConditions): string | null {
  if (evictionPolicy === null || evictionPolicy === KEEPS_EVERYTHING || memoryBytesMax === 0) return null;
  return `seen maxmemory-policy ${evictionPolicy} with maxmemory ${memoryBytesMax}, by which the server forgets counters and revocations; set maxmemory-policy ${KEEPS_EVERYTHING}`;
}

/** Returns what a failover may lose although the server could prevent it, or null. */
export function replicaFault({ replicas, replicasRequired }: RedisConditions): string | null {
  if (replicas === 0 || replicasRequired) return null;
  return `seen ${replicas} replicas and min-replicas-to-write 0, so that a failover may take back a revocation that no replica had; set min-replicas-to-write 1 and min-replicas-max-lag 1`;
}
