// Replaces five methods of kafkajs 2.2.4 at run time, because no option changes their behaviour. The package itself
// is unchanged; any other version is rejected.
import { createRequire } from 'node:module';
import kafkajs from 'kafkajs';

const VERSION = '2.2.4';

/** Interval between checks for requests that have exceeded their timeout. The original checks ten times a second. */
const CHECK_TIMEOUTS_MS = 1_000;

/** Delay before a connection checks its waiting requests again. */
const CHECK_PENDING_MS = 10;

/**
 * Callbacks from inside the client to a consumer. kafkajs keeps the assigner that it receives with the group, so the
 * assigner carries them.
 */
export interface GroupHooks {
  /** Awaited before the member joins or rejoins the group: the last moment to finish work and to commit it. */
  beforeJoin(): Promise<void>;
  /** Awaited before the first fetch after a join: the moment to set the first offsets. */
  afterJoin(): Promise<void>;
  /** Called when a broker rejects a fetch because the partition's next offset is not in its log. */
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
  /** Unix time in milliseconds. */
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

/**
 * The error that the client throws when a connection has ended, and on which it reconnects. The client does not
 * export it.
 */
interface ConnectionErrors {
  readonly KafkaJSConnectionClosedError: new (
    message: string,
    server: { readonly host: string; readonly port: number },
  ) => Error;
}

interface ConsumerGroup {
  readonly assigners: readonly Partial<GroupHooks>[];
  /** Unix time of the last heartbeat in milliseconds. */
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
 * @throws {Error} if another version of kafkajs is installed
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
 * Stops the timer of an idle queue. The original arms it again after every check, with a negative delay: about a
 * thousand wake-ups a second on each idle connection, and a warning by Node.
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

/**
 * Checks timeouts less often. Ten wake-ups a second on each of some dozens of connections are most of the CPU time of
 * an idle service.
 */
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
 * Closes a connection after a request timeout. The original retries over the same connection. If that is silently
 * dead, it delivers nothing for a minute or more; a new connection works at once.
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
 * Awaits the hooks around a join. The original rejoins while handlers of the old assignment still run, and fetches
 * before the offsets can be set. Its events for both cannot delay it.
 */
function repairRejoin(group: ConsumerGroup): void {
  const { joinAndSync } = group;
  group.joinAndSync = async function joinBetweenHooks(this: ConsumerGroup): Promise<void> {
    for (const { beforeJoin } of this.assigners) await beforeJoin?.();
    await joinAndSync.call(this);
    for (const { afterJoin } of this.assigners) await afterJoin?.();
  };
}

/**
 * Sends heartbeats after the clock was set back. The original waits until the clock has caught up, and so loses its
 * partitions.
 */
function repairHeartbeat(group: ConsumerGroup): void {
  const { heartbeat } = group;
  group.heartbeat = function heartbeatInTime(this: ConsumerGroup, options): Promise<void> {
    this.lastRequest = Math.min(this.lastRequest, Date.now());
    return heartbeat.call(this, options);
  };
}

/**
 * Reports an offset out of range. The original silently commits another offset and continues; ours stops fetching
 * (infra/docs/decisions/0007-halting-at-a-record-far-ahead.md).
 */
function repairOffsetReset(group: ConsumerGroup): void {
  group.recoverFromOffsetOutOfRange = async function reportOffsetOutOfRange(
    this: ConsumerGroup,
    { topic, partition }: { topic: string; partition: number },
  ): Promise<void> {
    this.pause([{ topic, partitions: [partition] }]);
    for (const { onOffsetOutOfRange } of this.assigners) onOffsetOutOfRange?.(partition);
  };
}
