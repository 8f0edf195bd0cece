import { EngineUnavailableError, LostRecordsError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Subscription,
} from '../../../topics/ports/log.ts';
import { OffsetCommitter } from '../../engines/embedded/offset-committer.ts';
import type { Host } from './host.fixture.ts';
import type { LogFlaws, ModelPartition } from './model-log.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** One partition for one group: how far it has come, and who has it. */
export interface Ownership {
  readonly group: string;
  readonly partition: ModelPartition;
  /** The committed position of the group, at which the next delivery starts. Null: no commit is known any more. */
  committed: number | null;
  /** The host that was given it last. */
  delivery: Delivery | null;
  /** The owner in the group's view: commits of other hosts are refused. */
  active: Delivery | null;
}

interface DeliveryParts {
  readonly host: Host;
  readonly ownership: Ownership;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly network: Network;
  readonly flaws: LogFlaws;
  /** Called when the partition halts, and with null when it resumes. */
  readonly onHalt: (error: unknown) => void;
  /** Called when the group has committed how far it came. */
  readonly onCommit: () => void;
}

/** The port, and what an adapter knows besides. */
export interface ModelAssignment extends PartitionAssignment {
  /** The end of the partition as of the last fetch: others may have folded further since. */
  readonly fetchedEnd: () => number;
}

/** The quiet time after which a handler that has worked is called idle. */
export const IDLE_AFTER_MS = 200;
const RETRY_MS = 50;
/** The pause before a halted partition tries its records again. */
const HALTED_PAUSE_MS = 5_000;
/** Small, so that a batch ends everywhere. */
const RECORDS_A_DELIVERY_MAX = 8;

/** Delivers one partition to the handler of one host, as long as it has it and beyond, as far as it does not know. */
export class Delivery {
  readonly host: Host;
  readonly #parts: DeliveryParts;
  readonly #end = Promise.withResolvers<void>();
  readonly #committer: OffsetCommitter;
  /** The next offset to hand over: ahead of what the group has committed. */
  #offset = 0;
  #wanted = false;
  #revoked = false;
  /** The end of the partition as of the last fetch. */
  #fetchedEnd = 0;
  #wake: () => void = () => {};

  constructor(parts: DeliveryParts) {
    this.host = parts.host;
    this.#parts = parts;
    this.#committer = new OffsetCommitter(
      (nextOffset) => this.#commit(nextOffset),
      (milliseconds) => this.host.sleep(milliseconds),
    );
  }

  /** True if the host knows that it has to give the partition back, or that it has lost it. */
  get isEnding(): boolean {
    return this.#wanted;
  }

  /** Resolves when the handler is closed; never for a host that has crashed. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Tells the host to give the partition back: what is under way still counts. */
  want(): void {
    this.#wanted = true;
    this.host.deliver(() => this.#wake());
  }

  /** Tells the host that the partition was taken away. */
  revoke(): void {
    this.#revoked = true;
    this.want();
  }

  begin(subscription: Subscription): void {
    this.#parts.ownership.active = this;
    this.host.deliver(() => void this.#run(subscription).finally(this.#end.resolve));
  }

  async #run(subscription: Subscription): Promise<void> {
    const { committed, partition } = this.#parts.ownership;
    this.#offset = committed ?? partition.start;
    while (!this.#wanted) {
      try {
        await this.#deliver(subscription);
      } catch (error) {
        // How work ends that is known to count no more says nothing about the partition.
        if (!this.#revoked) this.#parts.onHalt(error);
        if (error instanceof LostRecordsError || this.#parts.flaws.haltsForGood === true) return;
        await this.host.sleep(HALTED_PAUSE_MS);
      }
    }
    await this.#committer.close();
  }

  /** Delivers until the partition is taken away. */
  async #deliver(subscription: Subscription): Promise<void> {
    const { partition } = this.#parts.ownership;
    const assignment: ModelAssignment = {
      topic: partition.topic,
      generation: partition.generation,
      partition: partition.number,
      isCurrent: () => !this.#revoked,
      mayBegin: () => !this.#wanted,
      hasAppended: (offset) => this.#hasAppended(offset),
      fetchedEnd: () => this.#fetchedEnd,
    };
    const handler = subscription.open(assignment);
    let idleAfterMs: number | null = null;
    while (!this.#wanted) {
      const records = await this.#fetch(this.#offset, subscription.batchRecordsMax);
      if (records.length > 0) {
        await this.#handle(handler, records);
        idleAfterMs = IDLE_AFTER_MS;
      } else if (!(await this.#arrival(this.#offset, idleAfterMs)) && !this.#wanted) {
        idleAfterMs = (await handler.idle()) === 'more' ? 0 : null;
      }
    }
    await handler.close();
  }

  /** Hands records over and notes how far they were handled. The group's commit of it may fail; it is tried again. */
  async #handle(handler: PartitionHandler, records: readonly LogRecord[]): Promise<void> {
    const { nextOffset, pauseMs } = await handler.handle(records);
    this.#offset = nextOffset;
    this.#parts.onHalt(null);
    if (this.#parts.flaws.refusedCommitHalts === true) await this.#commit(nextOffset);
    else this.#committer.mark(nextOffset);
    if (pauseMs > 0) await this.host.sleep(pauseMs);
  }

  #commit(nextOffset: number): Promise<void> {
    const { network, ownership } = this.#parts;
    return network.call(this.host, 'log', () => {
      if (ownership.active !== this) return;
      ownership.committed = Math.max(ownership.committed ?? 0, nextOffset);
      this.#parts.onCommit();
    });
  }

  async #fetch(offset: number, batchRecordsMax: number): Promise<readonly LogRecord[]> {
    const { ownership, random } = this.#parts;
    const count = Math.min(batchRecordsMax, random.between(1, RECORDS_A_DELIVERY_MAX));
    const { records, end } = await this.#insist(() => ({
      records: ownership.partition.records.slice(offset, offset + count),
      end: ownership.partition.records.length,
    }));
    this.#fetchedEnd = end;
    return records;
  }

  /** Asks the log unless the last fetch has shown it, and does not insist. */
  async #hasAppended(offset: number): Promise<boolean> {
    const { network, ownership } = this.#parts;
    if (offset < this.#fetchedEnd) return true;
    return offset < (await network.call(this.host, 'log', () => ownership.partition.records.length));
  }

  /** Calls the log until it answers. */
  async #insist<Result>(effect: () => Result): Promise<Result> {
    for (;;) {
      try {
        return await this.#parts.network.call(this.host, 'log', effect);
      } catch (error) {
        if (!(error instanceof EngineUnavailableError)) throw error;
        await this.host.sleep(RETRY_MS);
      }
    }
  }

  /** Waits for a record at an offset; false when the time was over or the partition was taken away. */
  #arrival(offset: number, timeoutMs: number | null): Promise<boolean> {
    const { partition } = this.#parts.ownership;
    if (partition.records.length > offset) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (arrived: boolean) => () => this.host.deliver(() => resolve(arrived));
      this.#wake = settle(false);
      partition.onArrival(settle(true));
      if (timeoutMs !== null) this.#parts.scheduler.after(timeoutMs, settle(false));
    });
  }
}
