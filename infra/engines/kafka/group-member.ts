import kafkajs, { type Consumer, type EachBatchPayload, type PartitionAssigner } from 'kafkajs';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import { createClient } from './client.ts';
import type { GroupHooks } from './client-repairs.ts';
import { CLOSED_NOTE } from './group-offsets.ts';
import type { Watermarks } from './offset-committer.ts';
import { groupIdOf, type KafkaLogger, type KafkaOptions, topicNameOf } from './options.ts';

/**
 * Silence after which a member loses its partitions: the delay that a `kill -9` causes to those who wait for an
 * outcome.
 */
export const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_INTERVAL_MS = 2_000;

/** Longest wait of the other members for one that has to rejoin. */
const REBALANCE_TIMEOUT_MS = 30_000;

/**
 * Longest wait of a fetch without new records. A member that leaves waits for it, too. Each empty fetch costs a
 * quarter of a millisecond, on every consumer of an idle process.
 */
const FETCH_WAIT_MS = 1_000;

/** Bounds of one fetch: deep batches need deep fetches. */
const FETCH_BYTES_MAX = 32 * 1024 * 1024;
export const PARTITION_FETCH_BYTES_MAX = 4 * 1024 * 1024;

/** Silence of the group after which the membership is replaced. Longer than a join may take. */
const SILENCE_MS_MAX = 60_000;
const SILENCE_CHECK_MS = 5_000;

const LEAVE_TIMEOUT_MS = 10_000;

/** Fetched records of one partition. */
export interface FetchedBatch {
  readonly partition: number;
  readonly messages: EachBatchPayload['batch']['messages'];
  /** The offset after all fetched records, and the one after the partition's last record. */
  readonly next: number;
  readonly end: number;
}

export interface GroupMemberHandlers extends GroupHooks {
  /** Called when a new generation of the group begins. Its partitions are not fetched until `fetchFrom`. */
  onJoin(partitions: readonly number[]): void;
  onBatch(batch: FetchedBatch): void;
}

/** One membership in one group, on one kafkajs consumer. It ends when the client gives up, and never restarts. */
export class GroupMember {
  readonly #consumer: Consumer;
  readonly #topicName: string;
  readonly #handlers: GroupMemberHandlers;
  readonly #ended = Promise.withResolvers<Error>();
  readonly #contactTimer: NodeJS.Timeout;
  #lastContactAt = performance.now();
  #commitOffsets: EachBatchPayload['commitOffsetsIfNecessary'] | null = null;

  constructor(
    options: KafkaOptions,
    { group, topic }: Subscription,
    generation: number,
    logger: KafkaLogger,
    handlers: GroupMemberHandlers,
  ) {
    this.#topicName = topicNameOf(options.prefix, topic, generation);
    this.#handlers = handlers;
    this.#consumer = createClient(options, logger).consumer({
      groupId: groupIdOf(options.prefix, group, topic, generation),
      partitionAssigners: [withHooks(handlers)],
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_INTERVAL_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      minBytes: 1,
      maxBytes: FETCH_BYTES_MAX,
      maxBytesPerPartition: PARTITION_FETCH_BYTES_MAX,
      allowAutoTopicCreation: false,
      // The consumer watches `ended` and makes a new member, also after errors that the client considers final.
      retry: { restartOnFailure: async () => false },
    });
    this.#contactTimer = setInterval(() => this.#checkContact(), SILENCE_CHECK_MS);
  }

  /** Resolves with the reason when the membership ends without `leave`. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /** Starts to join the group. If that fails, `ended` resolves. */
  join(): void {
    const { CRASH, GROUP_JOIN, HEARTBEAT } = this.#consumer.events;
    this.#consumer.on(CRASH, ({ payload }) => this.#ended.resolve(payload.error));
    this.#consumer.on(HEARTBEAT, () => this.#recordContact());
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      this.#recordContact();
      const partitions = payload.memberAssignment[this.#topicName] ?? [];
      this.pause(partitions);
      this.#handlers.onJoin(partitions);
    });
    this.#run().catch((error) => this.#ended.resolve(error));
  }

  async #run(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [this.#topicName], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatch: async (payload) => this.#takeOver(payload),
    });
  }

  /**
   * True if the group has confirmed the membership within the session timeout, after which it reassigns the
   * partitions.
   */
  isAlive(): boolean {
    return performance.now() - this.#lastContactAt < SESSION_TIMEOUT_MS;
  }

  pause(partitions: readonly number[]): void {
    if (partitions.length === 0) return;
    this.#whileJoined(() => this.#consumer.pause([{ topic: this.#topicName, partitions: [...partitions] }]));
  }

  resume(partition: number): void {
    this.#whileJoined(() => this.#consumer.resume([{ topic: this.#topicName, partitions: [partition] }]));
  }

  /** Starts fetching a partition at an offset. */
  fetchFrom(partition: number, offset: number): void {
    this.#whileJoined(() =>
      this.#consumer.seek({ topic: this.#topicName, partition, offset: String(offset) }),
    );
    this.resume(partition);
  }

  /**
   * Commits for the present generation of the group. The broker rejects the commit once there is a newer one.
   *
   * @param closed the partitions whose closing marker has been read
   * @throws {Error} if the coordinator rejects the commit or does not answer
   */
  async commit(watermarks: Watermarks, closed: ReadonlySet<number>): Promise<void> {
    if (this.#commitOffsets === null) throw new Error('committing offsets before anything was fetched');
    const partitions = [...watermarks].map(([partition, offset]) => ({
      partition,
      offset: String(offset),
      ...(closed.has(partition) ? { metadata: CLOSED_NOTE } : {}),
    }));
    await this.#commitOffsets({ topics: [{ topic: this.#topicName, partitions }] });
  }

  /** Leaves the group, so that other members get the partitions at once. */
  async leave(): Promise<void> {
    clearInterval(this.#contactTimer);
    await settlesWithin(LEAVE_TIMEOUT_MS, this.#consumer.disconnect());
  }

  async #takeOver({ batch, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    // Unlike the consumer's public method, this one does not retry in a later generation, for partitions that the
    // member has lost.
    this.#commitOffsets = commitOffsetsIfNecessary;
    this.#handlers.onBatch({
      partition: batch.partition,
      messages: batch.messages,
      next: Number(batch.lastOffset()) + 1,
      end: Number(batch.highWatermark),
    });
  }

  /**
   * Ignores the error that the client throws after it has left the group. Nothing is fetched then, and `ended` gives
   * the reason.
   */
  #whileJoined(steer: () => void): void {
    try {
      steer();
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSNonRetriableError)) throw error;
    }
  }

  #recordContact(): void {
    this.#lastContactAt = performance.now();
  }

  #checkContact(): void {
    if (performance.now() - this.#lastContactAt > SILENCE_MS_MAX) {
      this.#ended.resolve(new Error(`waiting for an answer of the group for ${SILENCE_MS_MAX} ms`));
    }
  }
}

/** Adds our hooks to the client's own assigner (see client-repairs.ts). */
function withHooks({ beforeJoin, afterJoin, onOffsetOutOfRange }: GroupHooks): PartitionAssigner {
  const hooks: GroupHooks = { beforeJoin, afterJoin, onOffsetOutOfRange };
  return (parts) => ({ ...kafkajs.PartitionAssigners.roundRobin(parts), ...hooks });
}
