import { settlesWithin } from '../../../schemas/base/timeout.ts';
import type {
  LogRecord,
  PartitionHandler,
  PartitionStatus,
  Subscription,
} from '../../../topics/ports/log.ts';
import { haltReason } from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import { Signal } from '../shared/signal.ts';
import { isClosingMarker, isControl } from './control-records.ts';
import type { FetchedBatch } from './group-member.ts';
import { type GroupOffsets, type PartitionOffsets, requireStored, startOf } from './group-offsets.ts';
import { OffsetCommitter, type Watermarks } from './offset-committer.ts';
import type { KafkaLogger } from './options.ts';
import { PartitionLoop } from './partition-loop.ts';

/** Time for handlers to finish before the member joins the group again. No heartbeat is sent meanwhile. */
export const REJOIN_FINISH_TIMEOUT_MS = 5_000;

/** Time for handlers to finish before the member leaves the group. */
export const STOP_FINISH_TIMEOUT_MS = 30_000;

/** Timeout of the last commit. */
const COMMIT_TIMEOUT_MS = 3_000;

/** Pause before offsets are requested again. */
const LOCATE_PAUSE_MS = 500;

/** The operations of a membership that an assignment uses. */
export interface AssigningMember {
  isAlive(): boolean;
  pause(partitions: readonly number[]): void;
  resume(partition: number): void;
  fetchFrom(partition: number, offset: number): void;
  commit(watermarks: Watermarks, closed: ReadonlySet<number>): Promise<void>;
}

/** The reading of one generation of a topic for one subscription. */
export interface GenerationReading {
  readonly memory: RecordMemory;
  readonly subscription: Subscription;
  readonly generation: number;
  readonly offsets: GroupOffsets;
  readonly logger: KafkaLogger;
  /** Called when a closing marker was read. */
  readonly onClosing: () => void;
  /** Handles the records behind the closing marker. */
  readonly behind: PartitionHandler;
}

export interface AssignmentDependencies extends GenerationReading {
  readonly member: AssigningMember;
  readonly partitions: readonly number[];
  /** Partitions that an earlier assignment halted, with the reason. */
  readonly halted: ReadonlyMap<number, string>;
  readonly onHalt: (partition: number, error: unknown) => void;
  readonly onResume: (partition: number) => void;
}

/** The partitions that one generation of the group assigned to this process. */
export class Assignment {
  /** Settles when the first offset of every partition is known, or the assignment has ended. */
  readonly located: Promise<void>;
  readonly #dependencies: AssignmentDependencies;
  readonly #loops = new Map<number, PartitionLoop>();
  /** Halted partitions that were never opened. */
  readonly #halted = new Map<number, PartitionStatus>();
  readonly #committer: OffsetCommitter;
  readonly #stop = new Signal();
  #stopping = false;
  #over = false;
  #finished: Promise<void> | null = null;

  constructor(dependencies: AssignmentDependencies) {
    this.#dependencies = dependencies;
    this.#committer = new OffsetCommitter(
      (watermarks) => dependencies.member.commit(watermarks, this.#closed()),
      (error) => dependencies.logger.warn({ err: error, ...this.#names() }, 'KafkaCommitFailed'),
    );
    this.located = this.#locate();
  }

  /** Buffers fetched records while there is memory for them. */
  push({ partition, messages, next, end }: FetchedBatch): void {
    const loop = this.#loops.get(partition);
    // The member fetches again from the first record that did not fit.
    if (loop === undefined || loop.hasGapBefore(Number(messages[0]?.offset))) return;
    const { subscription, generation } = this.#dependencies;
    for (const message of messages) {
      const { offset, key, value, timestamp } = message;
      if (Number(offset) < loop.fetched) continue;
      if (isClosingMarker(message)) loop.closeAt(Number(offset));
      if (isControl(message)) continue;
      const record: LogRecord = {
        topic: subscription.topic,
        generation,
        partition,
        offset: Number(offset),
        // Strings, because slices of the buffer would keep the broker's whole answer in memory.
        key: key?.toString('utf8') ?? '',
        value: value?.toString('utf8') ?? '',
        appendedAt: Number(timestamp),
      };
      const encodedBytes = (key?.length ?? 0) + (value?.length ?? 0);
      if (!loop.take(record, encodedBytes)) {
        loop.arrived(record.offset, end, true);
        return;
      }
    }
    loop.arrived(next, end, false);
  }

  /** @param ends the newest known end of each partition; partitions without one are absent */
  status(ends: ReadonlyMap<number, number>): PartitionStatus[] {
    const running = [...this.#loops].map(([partition, loop]) => loop.status(ends.get(partition) ?? null));
    return [...running, ...this.#halted.values()];
  }

  /** Checks that the log has the offset to fetch next, after a broker has denied it. */
  checkOffset(partition: number): void {
    void this.#checkOffset(partition);
  }

  /**
   * Waits for running handlers, commits their progress and closes them. Handlers that exceed the timeout are
   * abandoned: their further progress is discarded.
   */
  finish(timeoutMs: number): Promise<void> {
    this.#finished ??= this.#finish(timeoutMs);
    return this.#finished;
  }

  /** Ends the assignment at once, because the membership is lost. */
  abandon(): void {
    this.#over = true;
    for (const loop of this.#loops.values()) loop.abandon();
  }

  async #finish(timeoutMs: number): Promise<void> {
    this.#stopping = true;
    this.#stop.notify();
    const stopping = Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
    if (!(await settlesWithin(timeoutMs, stopping))) {
      this.#dependencies.logger.warn({ timeoutMs, ...this.#names() }, 'KafkaHandlersAbandoned');
    }
    if (!this.#over) await settlesWithin(COMMIT_TIMEOUT_MS, this.#committer.close());
    this.abandon();
    // A commit that never ends must not block the group. The broker rejects it once there is a newer generation.
    await settlesWithin(COMMIT_TIMEOUT_MS, this.#committer.close());
  }

  async #locate(): Promise<void> {
    const offsets = await this.#askOffsets();
    if (offsets === null) return;
    for (const partition of this.#dependencies.partitions) {
      const found = offsets.get(partition);
      if (found !== undefined) this.#open(partition, found);
    }
  }

  /**
   * Returns the offsets of the partitions, after retries until they are known. Returns null once the assignment ends.
   */
  async #askOffsets(): Promise<ReadonlyMap<number, PartitionOffsets> | null> {
    while (!this.#isEnding()) {
      try {
        const offsets = await this.#dependencies.offsets.locate();
        return this.#isEnding() ? null : offsets;
      } catch (error) {
        this.#dependencies.logger.warn({ err: error, ...this.#names() }, 'KafkaOffsetsUnknown');
        await this.#stop.wait(LOCATE_PAUSE_MS);
      }
    }
    return null;
  }

  #open(partition: number, offsets: PartitionOffsets): void {
    const { member, halted, onHalt } = this.#dependencies;
    const earlier = halted.get(partition);
    if (earlier !== undefined) {
      this.#recordHalted(partition, offsets, earlier);
      return;
    }
    try {
      const start = startOf(offsets);
      this.#loops.set(partition, this.#startLoop(partition, start, offsets));
      member.fetchFrom(partition, start);
    } catch (error) {
      this.#recordHalted(partition, offsets, haltReason(error));
      onHalt(partition, error);
    }
  }

  #recordHalted(partition: number, { committed, start, end }: PartitionOffsets, halted: string): void {
    const lag = Math.max(0, end - (committed ?? start));
    const { topic } = this.#dependencies.subscription;
    this.#halted.set(partition, { topic, partition, records: end, lag, halted });
  }

  #startLoop(partition: number, start: number, { end, closed }: PartitionOffsets): PartitionLoop {
    const { memory, member, subscription, generation, offsets, behind } = this.#dependencies;
    const { onClosing, onHalt, onResume } = this.#dependencies;
    return new PartitionLoop({
      memory,
      subscription,
      generation,
      partition,
      start,
      end,
      askEnd: () => offsets.endOf(partition),
      behind,
      isClosed: closed,
      onClosing,
      isOwned: () => !this.#over && member.isAlive(),
      pause: () => {
        if (!this.#over) member.pause([partition]);
      },
      resume: () => {
        if (!this.#over) member.resume(partition);
      },
      fetchFrom: (offset) => {
        if (!this.#over) member.fetchFrom(partition, offset);
      },
      onProgress: (nextOffset) => this.#committer.mark(partition, nextOffset),
      onHalt: (error) => onHalt(partition, error),
      onResume: () => onResume(partition),
    });
  }

  async #checkOffset(partition: number): Promise<void> {
    const loop = this.#loops.get(partition);
    const found = (await this.#askOffsets())?.get(partition);
    if (loop === undefined || found === undefined) return;
    try {
      requireStored(loop.fetched, found);
      // A broker that is about to hand over its partition may deny an offset that the next leader has.
      this.#dependencies.member.fetchFrom(partition, loop.fetched);
    } catch (error) {
      loop.halt(error);
    }
  }

  #closed(): ReadonlySet<number> {
    return new Set([...this.#loops].filter(([, loop]) => loop.isClosed).map(([partition]) => partition));
  }

  #isEnding(): boolean {
    return this.#stopping || this.#over;
  }

  #names(): { group: string; topic: string } {
    const { group, topic } = this.#dependencies.subscription;
    return { group, topic };
  }
}
