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

/** How often a partition looks whether the group answers again, while its ownership is in doubt. */
const IN_DOUBT_PAUSE_MS = 500;

/** The pause after an engine that the handler needs was down. */
const ENGINE_PAUSE_MS = 500;

export interface PartitionLoopDependencies {
  readonly memory: RecordMemory;
  readonly subscription: Subscription;
  readonly generation: number;
  readonly partition: number;
  /** The first offset to deliver. */
  readonly start: number;
  /** Where the partition ended when that was asked. */
  readonly end: number;
  /** Asks the brokers where it ends now. Rejects with `EngineUnavailableError`. */
  readonly askEnd: () => Promise<number>;
  /** Handles what comes behind the closing marker, in place of the subscription's own handler. */
  readonly behind: PartitionHandler;
  /** Whether the marker was met in an earlier assignment. */
  readonly isClosed: boolean;
  /** Called when it was met. */
  readonly onClosing: () => void;
  /** Whether the group is known to hold this process for the owner just now. */
  readonly isOwned: () => boolean;
  /** Stops and begins fetching. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Begins fetching at an offset that was fetched before. */
  readonly fetchFrom: (offset: number) => void;
  readonly onProgress: (nextOffset: number) => void;
  readonly onHalt: (error: unknown) => void;
  readonly onResume: () => void;
}

/**
 * Delivers one assignment of one partition to its handler, one batch after the other, at its own pace: the client's
 * fetch loop only fills its buffer and never waits for a handler, so that heartbeats and other partitions go on.
 */
export class PartitionLoop {
  readonly #dependencies: PartitionLoopDependencies;
  readonly #buffer: RecordBuffer;
  readonly #size: DeliverySize;
  readonly #arrivals = new Signal();
  readonly #stop = new Signal();
  /** The offset after the last handled record, and after the last fetched one. */
  #position: number;
  #fetched: number;
  #end: number;
  #fetching = true;
  /** Whether the record at `#fetched` was there already, and there was no room for it: it has to be fetched again. */
  #cut = false;
  /** The offset of the closing marker while records before it may still have to be handled. */
  #marker: number | null = null;
  #closed: boolean;
  #stopping = false;
  #current = true;
  /** Records that the handler has just been given, or 0. */
  #handling = 0;
  /** Why it stands still for good. */
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

  /** The offset that has to be fetched next. */
  get fetched(): number {
    return this.#fetched;
  }

  /** Whether a fetch that begins at an offset leaves out what there was no room for. */
  hasGapBefore(offset: number): boolean {
    return this.#cut && offset > this.#fetched;
  }

  /** Whether everything before the closing marker has been handled. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Says that the closing marker is at this offset. A second one is behind the first. */
  closeAt(offset: number): void {
    if (!this.#closed) this.#marker ??= offset;
  }

  /**
   * Takes over a record that was fetched; false if there is no room for it. {@link arrived} says how far it went.
   *
   * @param encodedBytes of key and value in UTF-8
   */
  take(record: LogRecord, encodedBytes: number): boolean {
    return !this.#stopping && this.#failure === null && this.#buffer.take(record, encodedBytes);
  }

  /**
   * Says that everything before the offset `next` was taken over, of a partition that ends at `end`.
   *
   * @param isCut whether more was fetched: it is fetched again when there is room
   */
  arrived(next: number, end: number, isCut: boolean): void {
    this.#fetched = next;
    this.#end = Math.max(this.#end, end);
    this.#cut = isCut;
    // Whatever has begun to fetch it must not go on behind what was not taken over.
    if (isCut || (this.#fetching && this.#buffer.isFull())) {
      this.#fetching = false;
      this.#dependencies.pause();
    }
    this.#arrivals.notify();
  }

  /** Lets the partition stand still for good. A running `handle` ends first. */
  halt(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** `end` is the newest known end of the partition, or null to go by what was fetched. */
  status(end: number | null): PartitionStatus {
    const lag = Math.max(0, Math.max(this.#end, end ?? 0) - this.#position);
    const { subscription, partition } = this.#dependencies;
    return { topic: subscription.topic, partition, lag, halted: this.#halted };
  }

  /** Lets a running `handle` finish, then closes the handler. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#ended;
  }

  /** Ends the assignment at once: what is still under way counts no more. */
  abandon(): void {
    this.#current = false;
    this.#stopping = true;
    this.#wake();
  }

  #wake(): void {
    this.#stop.notify();
    this.#arrivals.notify();
  }

  /** Delivers until it is stopped. After a throw it goes on with a new handler; behind the closing marker with another one. */
  async #run(): Promise<void> {
    while (!this.#stopping) {
      const pauseMs = await this.#deliverToOne();
      if (pauseMs !== 0) await this.#waitForStop(pauseMs);
    }
    this.#current = false;
    this.#buffer.clear();
  }

  /** Delivers to one handler until it is done or throws. Returns how long to wait before the next one; null for ever. */
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

  /** An engine that is down says nothing about the partition; everything else that is thrown halts it. */
  #pauseAfter(error: unknown): number | null {
    // How work ends that counts no more says nothing about the partition either.
    if (!this.#current) return 0;
    if (error instanceof EngineUnavailableError) return ENGINE_PAUSE_MS;
    const isLasting = error instanceof LostRecordsError;
    if (!isLasting && this.#size.shrink(this.#handling)) return 0;
    this.#halt(error);
    if (isLasting) this.#standStill(error);
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

  /** What was fetched last may be older than what another member has folded meanwhile. */
  async #hasAppended(offset: number): Promise<boolean> {
    if (offset >= this.#end) this.#end = Math.max(this.#end, await this.#dependencies.askEnd());
    return offset < this.#end;
  }

  #isCurrent(): boolean {
    return this.#current && this.#dependencies.isOwned();
  }

  /** Delivers until it is stopped, or until everything before the closing marker has been handled: then true. */
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
        this.#goOn();
      }
    }
    return false;
  }

  /** The records to hand over next: those before the marker while there is one. */
  #deliverable(): readonly LogRecord[] {
    const marker = this.#marker;
    const records = this.#buffer.delivery(this.#size.records);
    if (marker !== null) return records.filter(({ offset }) => offset < marker);
    // Nobody is there to be handed what the log itself has written.
    if (records.length === 0 && this.#fetched > this.#position) this.#advance(this.#fetched);
    return records;
  }

  /** The handler's work has ended with the marker. From its offset on, the group says so with whatever it commits. */
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
      this.#goOn();
    }
    if (progress.pauseMs > 0) await this.#stop.wait(Math.min(progress.pauseMs, PAUSE_MS_MAX));
  }

  #advance(nextOffset: number): void {
    this.#buffer.doneBelow(nextOffset);
    // Offsets that carry no record of ours (markers of transactions) are passed over with the last one before them.
    const passed = this.#buffer.isEmpty() ? this.#fetched : nextOffset;
    // The marker itself is passed when it is known that the handler has ended.
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

  #goOn(): void {
    if (this.#halted === null) return;
    this.#halted = null;
    this.#dependencies.onResume();
  }

  /** Fetches no more, and holds nothing. */
  #standStill(error: unknown): void {
    this.#failure ??= { error };
    this.#buffer.clear();
    this.#fetching = false;
    this.#dependencies.pause();
  }
}
