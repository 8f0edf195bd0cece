import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { LogRecord, PartitionHandler, Subscription } from '../../topics/ports/log.ts';
import type { Host } from './host.fixture.ts';
import { GENERATION, type ModelPartition } from './model-log.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** One partition for one group: how far it has come, and who has it. */
export interface Ownership {
  readonly partition: ModelPartition;
  /** What the group has committed: the next delivery to whoever comes starts here. */
  committed: number;
  /** Who was given it last. */
  delivery: Delivery | null;
  /** Who has it as the group sees it: everybody else's commits are refused. */
  active: Delivery | null;
}

interface DeliveryParts {
  readonly host: Host;
  readonly ownership: Ownership;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly network: Network;
  readonly onHalt: (error: unknown) => void;
}

const IDLE_AFTER_MS = 200;
const RETRY_MS = 50;
/** Small, so that a batch ends everywhere. */
const RECORDS_A_DELIVERY_MAX = 8;

/** Delivers one partition to the handler of one host, as long as it has it and beyond, as far as it does not know. */
export class Delivery {
  readonly host: Host;
  readonly #parts: DeliveryParts;
  readonly #end = Promise.withResolvers<void>();
  #revoked = false;
  #wake: () => void = () => {};

  constructor(parts: DeliveryParts) {
    this.host = parts.host;
    this.#parts = parts;
  }

  /** Whether the host was told that the partition is taken away. */
  get revoked(): boolean {
    return this.#revoked;
  }

  /** Resolves when the handler is closed; never for a host that has crashed. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Tells the host that the partition is taken away. */
  revoke(): void {
    this.#revoked = true;
    this.host.deliver(() => this.#wake());
  }

  begin(subscription: Subscription): void {
    this.#parts.ownership.active = this;
    this.host.deliver(() => {
      void this.#run(subscription).catch(this.#parts.onHalt).finally(this.#end.resolve);
    });
  }

  async #run(subscription: Subscription): Promise<void> {
    const { partition } = this.#parts.ownership;
    const handler = subscription.open({
      topic: partition.topic,
      generation: GENERATION,
      partition: partition.number,
      isCurrent: () => !this.#revoked,
      mayBegin: () => !this.#revoked,
      end: async () => partition.records.length,
    });
    let offset = this.#parts.ownership.committed;
    let hasWorked = false;
    while (!this.#revoked) {
      const records = await this.#fetch(offset, subscription.batchRecordsMax);
      if (records.length > 0) {
        offset = await this.#handle(handler, records);
        hasWorked = true;
      } else if (!(await this.#arrival(offset, hasWorked ? IDLE_AFTER_MS : null)) && !this.#revoked) {
        hasWorked = false;
        await handler.idle();
      }
    }
    await handler.close();
  }

  /** Hands records over, commits how far they were handled, and returns where to go on. */
  async #handle(handler: PartitionHandler, records: readonly LogRecord[]): Promise<number> {
    const { ownership } = this.#parts;
    const { nextOffset, pauseMs } = await handler.handle(records);
    await this.#insist(() => {
      if (ownership.active === this) ownership.committed = Math.max(ownership.committed, nextOffset);
    });
    if (pauseMs > 0) await this.host.sleep(pauseMs);
    return nextOffset;
  }

  async #fetch(offset: number, batchRecordsMax: number): Promise<readonly LogRecord[]> {
    const { ownership, random } = this.#parts;
    const count = Math.min(batchRecordsMax, random.between(1, RECORDS_A_DELIVERY_MAX));
    return await this.#insist(() => ownership.partition.records.slice(offset, offset + count));
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
