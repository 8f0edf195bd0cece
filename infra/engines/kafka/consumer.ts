import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../../schemas/base/backoff.ts';
import { settlesWithin, withTimeout } from '../../../schemas/base/timeout.ts';
import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type { Consumer, PartitionStatus } from '../../../topics/ports/log.ts';
import { type ConsumedPartition, type HaltListener, haltReason } from '../shared/delivery.ts';
import {
  Assignment,
  type GenerationReading,
  REJOIN_FINISH_TIMEOUT_MS,
  STOP_FINISH_TIMEOUT_MS,
} from './assignment.ts';
import { GroupMember } from './group-member.ts';
import { ENGINE, type KafkaOptions, noAnswer } from './options.ts';
import { isCoordinatorPending } from './pending-coordinator.ts';

/** Timeout of the first join, until the first offsets of its partitions are known. */
const START_TIMEOUT_MS = 45_000;

/** Longest wait of a joining member for the offsets. Partitions without them are fetched once they are known. */
const LOCATE_TIMEOUT_MS = 3_000;

/** Pauses before a new membership replaces one that ended: doubled up to the bound, without a limit of attempts. */
const REJOIN_PAUSE_MS_FIRST = 200;
const REJOIN_PAUSE_MS_MAX = 5_000;

/** Consecutive memberships that may end because the group has no coordinator yet, before that is an error: a few seconds. */
const COORDINATOR_WAITS_MAX = 4;

export interface KafkaConsumerDependencies extends GenerationReading {
  readonly options: KafkaOptions;
  readonly halts: HaltListener;
}

/**
 * Consumes one generation of a topic for one subscription. It stays in its group: a new membership replaces each that
 * ends.
 */
export class KafkaConsumer implements Consumer {
  readonly #dependencies: KafkaConsumerDependencies;
  readonly #stopping = new AbortController();
  /**
   * Partitions with lost records: they stay halted until the process restarts, even if other members own them in
   * between.
   */
  readonly #halted = new Map<number, string>();
  readonly #joined = Promise.withResolvers<void>();
  #member: GroupMember;
  #assignment: Assignment | null = null;
  /** Consecutive memberships that ended before they had joined. */
  #failures = 0;
  readonly #supervision: Promise<void>;
  #stopped: Promise<void> | null = null;

  /**
   * Joins the group, and resolves when the first offset of each assigned partition is known.
   *
   * @throws {EngineUnavailableError} if that exceeds its timeout
   */
  static async start(dependencies: KafkaConsumerDependencies): Promise<KafkaConsumer> {
    const consumer = new KafkaConsumer(dependencies);
    try {
      await withTimeout(START_TIMEOUT_MS, consumer.#joined.promise, noAnswer);
      return consumer;
    } catch {
      await consumer.stop();
      throw new EngineUnavailableError(ENGINE);
    }
  }

  private constructor(dependencies: KafkaConsumerDependencies) {
    this.#dependencies = dependencies;
    this.#member = this.#newMember();
    this.#supervision = this.#supervise();
  }

  async status(): Promise<PartitionStatus[]> {
    const ends = await this.#dependencies.offsets.ends();
    return this.#assignment?.status(ends) ?? [];
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#assignment?.finish(STOP_FINISH_TIMEOUT_MS);
    await this.#supervision;
    await this.#member.leave();
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping;
    const stopped = Promise.withResolvers<null>();
    signal.addEventListener('abort', () => stopped.resolve(null), { once: true });
    while (!signal.aborted) {
      this.#member.join();
      const error = await Promise.race([this.#member.ended, stopped.promise]);
      if (error === null) return;
      this.#failures += 1;
      this.#logEnd(error);
      await this.#endMembership();
      await sleep(this.#rejoinPauseMs(), null, { signal }).catch(() => null);
      if (!signal.aborted) this.#member = this.#newMember();
    }
  }

  /** Logs that a membership has ended, unless it never began because a new group has no coordinator yet. */
  #logEnd(error: Error): void {
    const { subscription, logger } = this.#dependencies;
    const { group, topic } = subscription;
    const fields = { err: error, group, topic };
    const isPassing = isCoordinatorPending(error.message) && this.#failures <= COORDINATOR_WAITS_MAX;
    if (!isPassing) logger.error(fields, 'KafkaMembershipLost');
    else if (this.#assignment !== null) logger.warn(fields, 'KafkaMembershipLost');
  }

  async #endMembership(): Promise<void> {
    this.#assignment?.abandon();
    await this.#assignment?.finish(REJOIN_FINISH_TIMEOUT_MS);
    await this.#member.leave();
  }

  #rejoinPauseMs(): number {
    return backoffMs(this.#failures, { firstMs: REJOIN_PAUSE_MS_FIRST, maxMs: REJOIN_PAUSE_MS_MAX });
  }

  #newMember(): GroupMember {
    const { options, subscription, generation, logger } = this.#dependencies;
    const member = new GroupMember(options, subscription, generation, logger, {
      beforeJoin: async () => this.#assignment?.finish(REJOIN_FINISH_TIMEOUT_MS),
      afterJoin: async () => {
        if (this.#assignment !== null) await settlesWithin(LOCATE_TIMEOUT_MS, this.#assignment.located);
      },
      onJoin: (partitions) => this.#assign(member, partitions),
      onBatch: (batch) => this.#assignment?.push(batch),
      onOffsetOutOfRange: (partition) => this.#assignment?.checkOffset(partition),
    });
    return member;
  }

  #assign(member: GroupMember, partitions: readonly number[]): void {
    if (this.#stopping.signal.aborted) return;
    this.#failures = 0;
    this.#assignment = new Assignment({
      ...this.#dependencies,
      member,
      partitions,
      halted: this.#halted,
      onHalt: (partition, error) => this.#halt(partition, error),
      onResume: (partition) => this.#dependencies.halts.onResume(this.#named(partition)),
    });
    this.#joined.resolve(this.#assignment.located);
  }

  #halt(partition: number, error: unknown): void {
    const reason = haltReason(error);
    if (error instanceof LostRecordsError) this.#halted.set(partition, reason);
    this.#dependencies.halts.onHalt({ ...this.#named(partition), reason, error });
  }

  #named(partition: number): ConsumedPartition {
    const { group, topic } = this.#dependencies.subscription;
    return { group, topic, partition };
  }
}
