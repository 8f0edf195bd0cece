import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  PartitionHandler,
  PartitionStatus,
  Subscription,
} from '../../../topics/ports/log.ts';
import {
  DeliverySize,
  HALTED_PAUSE_MS,
  haltReason,
  IDLE_AFTER_MS,
  PAUSE_MS_MAX,
  requireProgress,
} from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import { Signal } from '../shared/signal.ts';
import { RecordBuffer } from './record-buffer.ts';

/** Interval at which a partition checks its ownership while that is in doubt. */
const IN_DOUBT_PAUSE_MS = 500;

/** Pause after an engine that the handler needs was unavailable. */
const ENGINE_PAUSE_MS = 500;

export interface PartitionLoopDependencies {
  readonly memory: RecordMemory;
  readonly subscription: Subscription;
  readonly generation: number;
  readonly partition: number;
  /** The first offset to deliver. */
  readonly start: number;
  /** The end of the partition when the offsets were read. */
  readonly end: number;
  /** Reads the present end from the brokers. Rejects with `EngineUnavailableError`. */
  readonly askEnd: () => Promise<number>;
  /** Handles the records behind the closing marker, in place of the subscription's handler. */
  readonly behind: PartitionHandler;
  /** True if an earlier assignment has read the marker. */
  readonly isClosed: boolean;
  /** Called when the marker was passed. */
  readonly onClosing: () => void;
  /** True while the group is known to consider this process the owner. */
  readonly isOwned: () => boolean;
  /** Pause and resume fetching. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Starts fetching again at an earlier offset. */
  readonly fetchFrom: (offset: number) => void;
  readonly onProgress: (nextOffset: number) => void;
  readonly onHalt: (error: unknown) => void;
  readonly onResume: () => void;
}

/**
 * Delivers one assignment of one partition to its handler, one batch after the other. The client's fetch loop only
 * fills the buffer and never waits for a handler, so that heartbeats and other partitions continue.
 */
export class PartitionLoop {
  readonly #dependencies: PartitionLoopDependencies;
  readonly #buffer: RecordBuffer;
  readonly #size: DeliverySize;
  readonly #arrivals = new Signal();
  readonly #stop = new Signal();
  /** The offset after the last handled record, and the one after the last fetched record. */
  #position: number;
  #fetched: number;
  #end: number;
  #fetching = true;
  /** True if the record at `#fetched` did not fit into the buffer and has to be fetched again. */
  #cut = false;
  /** The offset of the closing marker, while records before it may still have to be handled. */
  #marker: number | null = null;
  #closed: boolean;
  #stopping = false;
  #current = true;
  /** The number of records in the running delivery, or 0. */
  #handling = 0;
  /** The reason of a permanent halt. */
  #failure: { readonly error: unknown } | null = null;
  #halted: string | null = null;
  readonly #ended: Promise<void>;

  constructor(dependencies: PartitionLoopDependencies) {
    this.#dependencies = dependencies;
    this.#buffer = new RecordBuffer(dependencies.subscription.batchRecordsMax, dependencies.memory.share());
    this.#size = new DeliverySize(dependencies.subscription.batchRecordsMax);
    this.#position = dependencies.start;
    this.#fetched = dependencies.start;
    this.#end = dependencies.end;
    this.#closed = dependencies.isClosed;
    this.#ended = this.#run();
  }

  /** The next offset to fetch. */
  get fetched(): number {
    return this.#fetched;
  }

  /** True if a fetch that starts at an offset misses records that did not fit. */
  hasGapBefore(offset: number): boolean {
    return this.#cut && offset > this.#fetched;
  }

  /** True if every record before the closing marker has been handled. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Records the offset of the closing marker. The first one counts. */
  closeAt(offset: number): void {
    if (!this.#closed) this.#marker ??= offset;
  }

  /**
   * Buffers a fetched record, or returns false if there is no memory for it. Call {@link arrived} afterwards.
   *
   * @param encodedBytes of key and value in UTF-8
   */
  take(record: LogRecord, encodedBytes: number): boolean {
    return !this.#stopping && this.#failure === null && this.#buffer.take(record, encodedBytes);
  }

  /**
   * Records that everything before the offset `next` was buffered, of a partition that ends at `end`.
   *
   * @param isCut true if fetched records did not fit: they are fetched again when there is memory
   */
  arrived(next: number, end: number, isCut: boolean): void {
    this.#fetched = next;
    this.#end = Math.max(this.#end, end);
    this.#cut = isCut;
    // A fetch that is under way must not continue behind records that did not fit.
    if (isCut || (this.#fetching && this.#buffer.isFull())) {
      this.#fetching = false;
      this.#dependencies.pause();
    }
    this.#arrivals.notify();
  }

  /** Halts the partition permanently. A running `handle` finishes first. */
  halt(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** @param end the newest known end of the partition, or null to use the one of the last fetch */
  status(end: number | null): PartitionStatus {
    const records = Math.max(this.#end, end ?? 0);
    const lag = Math.max(0, records - this.#position);
    const { subscription, partition } = this.#dependencies;
    return { topic: subscription.topic, partition, records, lag, halted: this.#halted };
  }

  /** Waits for a running `handle`, then closes the handler. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#ended;
  }

  /** Ends the assignment at once: discards the result of a running delivery. */
  abandon(): void {
    this.#current = false;
    this.#stopping = true;
    this.#wake();
  }

  #wake(): void {
    this.#stop.notify();
    this.#arrivals.notify();
  }

  /**
   * Delivers until it is stopped. After a throw it continues with a new handler; behind the closing marker with
   * another one.
   */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      const pauseMs = await this.#deliverToOne();
      if (pauseMs !== 0) await this.#waitForStop(pauseMs);
    }
    this.#current = false;
    this.#buffer.clear();
  }

  /**
   * Delivers to one handler until it is done or throws. Returns the pause before the next one in milliseconds; null
   * for ever.
   */
  async #deliverToOne(): Promise<number | null> {
    let handler: PartitionHandler | null = null;
    let atMarker = false;
    let pauseMs: number | null = 0;
    try {
      handler = this.#open();
      atMarker = await this.#deliver(handler);
    } catch (error) {
      pauseMs = this.#pauseAfter(error);
    }
    try {
      await handler?.close();
      if (atMarker) this.#passMarker();
    } catch (error) {
      pauseMs = this.#pauseAfter(error);
    }
    return pauseMs;
  }

  /**
   * Returns the pause after an error. An unavailable engine says nothing about the partition; any other error halts
   * it.
   */
  #pauseAfter(error: unknown): number | null {
    // An error of an abandoned assignment says nothing about the partition either.
    if (!this.#current) return 0;
    if (error instanceof EngineUnavailableError) return ENGINE_PAUSE_MS;
    const isLasting = error instanceof LostRecordsError;
    if (!isLasting && this.#size.shrink(this.#handling)) return 0;
    this.#halt(error);
    if (isLasting) this.#stopFetching(error);
    return isLasting ? null : HALTED_PAUSE_MS;
  }

  async #waitForStop(timeoutMs: number | null): Promise<void> {
    if (timeoutMs !== null) await this.#stop.wait(timeoutMs);
    while (timeoutMs === null && !this.#stopping) {
      this.#stop.reset();
      await this.#stop.wait(null);
    }
  }

  #open(): PartitionHandler {
    const { subscription, generation, partition, behind } = this.#dependencies;
    if (this.#closed) return behind;
    return subscription.open({
      topic: subscription.topic,
      generation,
      partition,
      isCurrent: () => this.#isCurrent(),
      mayBegin: () => !this.#stopping && this.#isCurrent(),
      hasAppended: (offset) => this.#hasAppended(offset),
    });
  }

  /**
   * True if the offset is in the log. The last fetch may be older than the records that another member has handled.
   */
  async #hasAppended(offset: number): Promise<boolean> {
    if (offset >= this.#end) this.#end = Math.max(this.#end, await this.#dependencies.askEnd());
    return offset < this.#end;
  }

  #isCurrent(): boolean {
    return this.#current && this.#dependencies.isOwned();
  }

  /**
   * Delivers until it is stopped, or until every record before the closing marker has been handled: then returns
   * true.
   */
  async #deliver(handler: PartitionHandler): Promise<boolean> {
    let idleAfterMs: number | null = null;
    while (!this.#stopping) {
      this.#arrivals.reset();
      if (this.#failure !== null) throw this.#failure.error;
      const records = this.#deliverable();
      if (records.length > 0 && !this.#isCurrent()) {
        await this.#stop.wait(IN_DOUBT_PAUSE_MS);
      } else if (records.length > 0) {
        await this.#handle(handler, records);
        idleAfterMs = IDLE_AFTER_MS;
      } else if (this.#marker !== null) {
        return true;
      } else if (!(await this.#arrivals.wait(idleAfterMs))) {
        idleAfterMs = (await handler.idle()) === 'more' ? 0 : null;
        this.#resume();
      }
    }
    return false;
  }

  /** Returns the next records to deliver: those before the marker while there is one. */
  #deliverable(): readonly LogRecord[] {
    const marker = this.#marker;
    const records = this.#buffer.delivery(this.#size.records);
    if (marker !== null) return records.filter(({ offset }) => offset < marker);
    // Only control records are left, and handlers do not receive them.
    if (records.length === 0 && this.#fetched > this.#position) this.#advance(this.#fetched);
    return records;
  }

  /** Ends the handler's work at the marker. Commits from its offset on carry the note of a closed partition. */
  #passMarker(): void {
    const marker = this.#marker ?? this.#position;
    this.#marker = null;
    this.#closed = true;
    this.#advance(marker + 1);
    this.#dependencies.onClosing();
  }

  async #handle(handler: PartitionHandler, records: readonly LogRecord[]): Promise<void> {
    this.#handling = records.length;
    const progress = await handler.handle(records);
    const first = records[0]?.offset ?? this.#position;
    requireProgress(progress, first, records);
    this.#handling = 0;
    if (!this.#current) return;
    this.#advance(progress.nextOffset);
    if (progress.nextOffset > first) {
      this.#size.grow();
      this.#resume();
    }
    if (progress.pauseMs > 0) await this.#stop.wait(Math.min(progress.pauseMs, PAUSE_MS_MAX));
  }

  #advance(nextOffset: number): void {
    this.#buffer.doneBelow(nextOffset);
    // Offsets without a record of ours, such as transaction markers, are passed with the last record before them.
    const passed = this.#buffer.isEmpty() ? this.#fetched : nextOffset;
    // The marker itself is passed once the handler has finished.
    const next = Math.min(passed, this.#marker ?? Infinity);
    if (next > this.#position) {
      this.#position = next;
      this.#dependencies.onProgress(next);
    }
    if (!this.#fetching && this.#failure === null && this.#buffer.isLow()) {
      this.#fetchOn();
    }
  }

  #fetchOn(): void {
    this.#fetching = true;
    if (this.#cut) this.#dependencies.fetchFrom(this.#fetched);
    else this.#dependencies.resume();
  }

  /** Raises the alarm, once for each reason. */
  #halt(error: unknown): void {
    const reason = haltReason(error);
    if (this.#halted === reason) return;
    this.#halted = reason;
    this.#dependencies.onHalt(error);
  }

  #resume(): void {
    if (this.#halted === null) return;
    this.#halted = null;
    this.#dependencies.onResume();
  }

  /** Stops fetching and frees the buffer. */
  #stopFetching(error: unknown): void {
    this.#failure ??= { error };
    this.#buffer.clear();
    this.#fetching = false;
    this.#dependencies.pause();
  }
}
