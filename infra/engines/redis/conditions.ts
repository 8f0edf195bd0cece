import type { Redis } from 'ioredis';
import { ask } from './connection.ts';

const ENGINE = 'Redis server';
const KEEPS_EVERYTHING = 'noeviction';

/** What the design counts on in a Redis server, as the server's `INFO` says it. */
export interface RedisConditions {
  /** What the server forgets when its memory is full; null where it does not say. */
  readonly evictionPolicy: string | null;
  /** The bound of its memory in bytes; 0: none. */
  readonly memoryBytesMax: number;
  readonly replicas: number;
  /** Whether it refuses writes that no replica would get (`min-replicas-to-write`). */
  readonly replicasRequired: boolean;
}

/**
 * Reads the conditions; null if the server's access rules do not let this user ask.
 *
 * @throws {EngineUnavailableError} when the server does not answer.
 */
export async function readConditions(redis: Redis): Promise<RedisConditions | null> {
  try {
    const text = await ask(redis, ENGINE, async () =>
      [await redis.info('memory'), await redis.info('replication')].join('\n'),
    );
    return conditionsIn(text);
  } catch (error) {
    const said = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    // The server has answered: it is there.
    if (said.startsWith('NOPERM')) return null;
    throw error;
  }
}

/** Reads the members that count of what `INFO memory` and `INFO replication` answer. */
export function conditionsIn(text: string): RedisConditions {
  const members = new Map(
    [...text.matchAll(/^([a-z_]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return {
    evictionPolicy: members.get('maxmemory_policy') ?? null,
    memoryBytesMax: Number(members.get('maxmemory') ?? 0),
    replicas: Number(members.get('connected_slaves') ?? 0),
    // The server counts good replicas only where it needs some.
    replicasRequired: members.has('min_slaves_good_slaves'),
  };
}

/**
 * Says why the server must not be used, or null. One that evicts keys forgets counters, which lets more through than a limit
 * allows, and revocations.
 */
export function evictionFault({ evictionPolicy, memoryBytesMax }: RedisConditions): string | null {
  if (evictionPolicy === null || evictionPolicy === KEEPS_EVERYTHING || memoryBytesMax === 0) return null;
  return `seen maxmemory-policy ${evictionPolicy} with maxmemory ${memoryBytesMax}, by which the server forgets counters and revocations; set maxmemory-policy ${KEEPS_EVERYTHING}`;
}

/** Says what a failover could take back although the server could prevent it, or null. */
export function replicaFault({ replicas, replicasRequired }: RedisConditions): string | null {
  if (replicas === 0 || replicasRequired) return null;
  return `seen ${replicas} replicas and min-replicas-to-write 0, so that a failover may take back a revocation that no replica had; set min-replicas-to-write 1 and min-replicas-max-lag 1`;
}
