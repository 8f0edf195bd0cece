// kafkajs 2.2.4 is used as it is published, but for five methods that are replaced here at run time, because no option
// reaches what they do. The package is no longer changed; another version than this one is refused.
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';

const VERSION = '2.2.4';

/** How often a connection looks for requests that have taken too long. The original looks ten times a second. */
const CHECK_TIMEOUTS_MS = 1_000;

/** How soon requests that wait for a connection's turn are looked at again. */
const CHECK_PENDING_MS = 10;

/**
 * What a consumer of ours is asked and told from inside the client. kafkajs keeps the assigner that we hand it with the
 * group, so that is where it carries them.
 */
export interface GroupHooks {
  /** Awaited before the group is joined or joined again: the last moment to finish work and to commit it. */
  beforeJoin(): Promise<void>;
  /** Awaited before anything is fetched of what was joined: the moment to say where to begin. */
  afterJoin(): Promise<void>;
  /** A fetch was refused: the partition's next offset is not in its log. */
  onOffsetOutOfRange(partition: number): void;
}

export interface RequestQueue {
  readonly enforceRequestTimeout: boolean;
  readonly inflight: ReadonlyMap<number, InflightRequest>;
  requestTimeoutIntervalId: NodeJS.Timeout | undefined;
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  isConnected(): boolean;
  destroy(): void;
}

interface InflightRequest {
  /** Unix milliseconds. */
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface Connection {
  readonly host: string;
  readonly port: number;
  send(request: unknown): Promise<unknown>;
  isConnected(): boolean;
  rejectRequests(error: Error): void;
  disconnect(): Promise<unknown>;
}

/** What the client throws when a connection has ended, and makes another one for. It does not export it. */
interface ConnectionErrors {
  readonly KafkaJSConnectionClosedError: new (
    message: string,
    server: { readonly host: string; readonly port: number },
  ) => Error;
}

interface ConsumerGroup {
  readonly assigners: readonly Partial<GroupHooks>[];
  /** Unix milliseconds of the last heartbeat. */
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
  pause(partitions: readonly { topic: string; partitions: readonly number[] }[]): void;
  joinAndSync(): Promise<void>;
  recoverFromOffsetOutOfRange(refusal: { topic: string; partition: number }): Promise<void>;
}

let repaired = false;

/**
 * Replaces the five methods, once for the process.
 *
 * @throws {Error} when another version of kafkajs is installed.
 */
export function repairClient(): void {
  if (repaired) return;
  const require = createRequire(import.meta.url);
  const { version } = require('kafkajs/package.json') as { version: string };
  if (version !== VERSION) throw new Error(`repairing kafkajs ${version}: the repairs are for ${VERSION}`);
  repairIdleTimer(prototypeOf<RequestQueue>(require('kafkajs/src/network/requestQueue')));
  repairTimeoutCheck(prototypeOf<RequestQueue>(require('kafkajs/src/network/requestQueue')));
  repairDeadConnection(
    prototypeOf<Connection>(require('kafkajs/src/network/connection')),
    require('kafkajs/src/errors') as ConnectionErrors,
  );
  repairRejoin(prototypeOf<ConsumerGroup>(require('kafkajs/src/consumer/consumerGroup')));
  repairHeartbeat(prototypeOf<ConsumerGroup>(require('kafkajs/src/consumer/consumerGroup')));
  repairOffsetReset(prototypeOf<ConsumerGroup>(require('kafkajs/src/consumer/consumerGroup')));
  repaired = true;
}

function prototypeOf<Instance>(constructible: unknown): Instance {
  return (constructible as { prototype: Instance }).prototype;
}

/**
 * The original arms its timer again after every check, also when nothing waits, with a delay below zero: about a
 * thousand wake-ups a second on every idle connection, and a warning of Node's.
 */
function repairIdleTimer(queue: RequestQueue): void {
  queue.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue): void {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : CHECK_PENDING_MS,
    );
  };
}

/** Ten wake-ups a second on each of some dozens of connections are the larger part of what an idle service costs. */
function repairTimeoutCheck(queue: RequestQueue): void {
  queue.scheduleRequestTimeoutCheck = function scheduleRequestTimeoutCheck(this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      for (const request of [...this.inflight.values()]) {
        if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
      }
      if (!this.isConnected()) this.destroy();
    }, CHECK_TIMEOUTS_MS);
  };
}

/**
 * The original asks again over the same connection, which may have died without a word: for a minute or more nothing
 * would come through it. A request without an answer ends the connection, and the next attempt makes another one.
 */
function repairDeadConnection(connection: Connection, errors: ConnectionErrors): void {
  const { send } = connection;
  connection.send = async function sendOrDisconnect(this: Connection, request: unknown): Promise<unknown> {
    try {
      return await send.call(this, request);
    } catch (error) {
      if (error instanceof kafkajs.KafkaJSRequestTimeoutError && this.isConnected()) {
        const { host, port } = this;
        this.rejectRequests(new errors.KafkaJSConnectionClosedError('Closed connection', { host, port }));
        await this.disconnect();
      }
      throw error;
    }
  };
}

/**
 * The original joins again while handlers of the old assignment still run, and fetches before anybody can look where the
 * group goes on. It has events for both, and none that could hold it back.
 */
function repairRejoin(group: ConsumerGroup): void {
  const { joinAndSync } = group;
  group.joinAndSync = async function joinBetweenHooks(this: ConsumerGroup): Promise<void> {
    for (const { beforeJoin } of this.assigners) await beforeJoin?.();
    await joinAndSync.call(this);
    for (const { afterJoin } of this.assigners) await afterJoin?.();
  };
}

/** The original sends no heartbeat until a clock that was set back has caught up, and the group gives its partitions away. */
function repairHeartbeat(group: ConsumerGroup): void {
  const { heartbeat } = group;
  group.heartbeat = function heartbeatInTime(this: ConsumerGroup, options): Promise<void> {
    this.lastRequest = Math.min(this.lastRequest, Date.now());
    return heartbeat.call(this, options);
  };
}

/** The original commits another offset and goes on in silence; ours stops fetching and says so (design rule 13). */
function repairOffsetReset(group: ConsumerGroup): void {
  group.recoverFromOffsetOutOfRange = async function reportOffsetOutOfRange(
    this: ConsumerGroup,
    { topic, partition }: { topic: string; partition: number },
  ): Promise<void> {
    this.pause([{ topic, partitions: [partition] }]);
    for (const { onOffsetOutOfRange } of this.assigners) onOffsetOutOfRange?.(partition);
  };
}
