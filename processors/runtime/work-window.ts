// Reads one partition of a work topic.
import { settlesWithin } from '../../schemas/base/timeout.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Progress,
} from '../../topics/ports/log.ts';
import { retryDelayMs } from './backoff.ts';
import { BegunWork } from './begun-work.ts';
import type { ProcessorDependencies } from './dependencies.ts';

/** Handles single items. Rejects with `EngineUnavailableError` if the item has to be repeated. */
export interface ItemHandler {
  /**
   * Does the work of an item and reports it, or gives it up when its attempts have failed.
   *
   * @param leaving aborted when the partition is to be given back: work that only waits should be refused
   */
  handle(record: LogRecord, leaving: AbortSignal): Promise<void>;
  /** Puts an item into the dead-letter queue without another attempt, and reports that. */
  giveUp(record: LogRecord, reason: string): Promise<void>;
}

/** Items of one partition from the first unfinished one on: while that one runs, those behind it begin and end. */
export const WINDOW_RECORDS = 64;

/** Longest time in which a partition with items in work does not look for later ones. */
const LOOK_MS = 100;

/** Finished items after which their offsets are handed back, in multiples of the items at once. */
const FINISHED_AHEAD = 2;

/** Processes that may end during an item handled alone, before it counts as the cause. */
export const ENDED_PROCESSES_MAX = 5;

/** Consecutive times that an engine may fail an item, before it moves to the end of its partition. */
export const ENGINE_FAILURES_MAX = 5;

/** An item of the window. `failed`: an engine failed it, and the next delivery repeats it. */
interface Item {
  readonly record: LogRecord;
  state: 'waiting' | 'begun' | 'failed' | 'done';
  isNoted: boolean;
  engineFailures: number;
}

interface WorkWindowOptions {
  readonly items: ItemHandler;
  readonly itemsAtOnce: number;
  readonly engines: ProcessorDependencies;
  readonly assignment: PartitionAssignment;
}

/**
 * The items of one partition from the first unfinished one on. They continue between two deliveries, which overlap: a
 * delivery adds the items that are new to the window, and progress stays below the first unfinished one.
 */
export class WorkWindow implements PartitionHandler {
  readonly #options: WorkWindowOptions;
  readonly #begun: BegunWork;
  /** By offset. */
  readonly #window = new Map<number, Item>();
  readonly #inWork = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  /** Consecutive failures of engines. */
  #failures = 0;
  /** The first error that is no failure of an engine. */
  #fault: { readonly error: unknown } | null = null;
  #hasChanged = false;
  #wake: () => void = () => {};

  constructor(options: WorkWindowOptions) {
    this.#options = options;
    this.#begun = new BegunWork(options.engines, options.assignment);
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const items = this.#take(records);
    const open = () => items.filter(({ state }) => state !== 'done').length;
    const openBefore = open();
    do {
      if (this.#fault !== null) throw this.#fault.error;
      await this.#beginNext(items);
    } while (!this.#isToReturn(items, open() < openBefore) && (await this.#changes()));
    return this.#progress(items);
  }

  async idle(): Promise<IdleProgress> {
    return 'done';
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.#inWork);
    if (this.#options.assignment.isCurrent()) await this.#begun.clear();
  }

  /** Returns the items of a delivery, those that an earlier one brought with their state. */
  #take(records: readonly LogRecord[]): readonly Item[] {
    const first = records[0];
    if (first === undefined) throw new Error('handling a delivery without records');
    for (const offset of this.#window.keys()) if (offset < first.offset) this.#window.delete(offset);
    return records.map((record) => {
      const known = this.#window.get(record.offset);
      if (known?.state === 'failed') known.state = 'waiting';
      const item = known ?? { record, state: 'waiting', isNoted: false, engineFailures: 0 };
      this.#window.set(record.offset, item);
      return item;
    });
  }

  /**
   * Begins as many items as may run at once. Once the partition is to be given back, waits for those in work instead, so that
   * the progress has them.
   */
  async #beginNext(items: readonly Item[]): Promise<void> {
    if (!this.#options.assignment.mayBegin()) {
      this.#leaving.abort();
      await Promise.all(this.#inWork);
      return;
    }
    try {
      await this.#begun.load(items[0]?.record.offset ?? 0);
      const waiting = items.filter(({ state }) => state === 'waiting');
      const next = waiting.slice(0, Math.max(0, this.#atOnce(items) - this.#inWork.size));
      if (next.some(({ isNoted }) => !isNoted)) await this.#note(waiting, next.length);
      for (const item of next) if (this.#options.assignment.mayBegin()) this.#begin(item);
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#failures += 1;
      for (const item of items) if (item.state === 'waiting') item.state = 'failed';
    }
  }

  /**
   * Returns the number of items that may run at once. One of those that earlier processes began may have ended them: they run
   * alone, so that another end would identify it.
   */
  #atOnce(items: readonly Item[]): number {
    const isSuspected = ({ state, record }: Item) =>
      state !== 'done' && this.#begun.attemptsBefore(record.offset) > 0;
    return items.some(isSuspected) ? 1 : this.#options.itemsAtOnce;
  }

  /** Notes the next `count` items before they begin, and some of those behind them in the same write. */
  async #note(waiting: readonly Item[], count: number): Promise<void> {
    const ahead = this.#atOnce(waiting) === 1 ? 0 : this.#options.itemsAtOnce;
    const noted = waiting.slice(0, count + ahead).filter(({ isNoted }) => !isNoted);
    await this.#begun.begin(noted.map(({ record }) => record.offset));
    for (const item of noted) item.isNoted = true;
  }

  #begin(item: Item): void {
    const { items } = this.#options;
    const { record } = item;
    const ended = this.#begun.attemptsBefore(record.offset);
    item.state = 'begun';
    const work =
      ended < ENDED_PROCESSES_MAX
        ? items.handle(record, this.#leaving.signal)
        : items.giveUp(record, `ending ${ended} processes`);
    const inWork = this.#finish(item, work).finally(() => {
      this.#inWork.delete(inWork);
      this.#hasChanged = true;
      this.#wake();
    });
    this.#inWork.add(inWork);
  }

  /** Waits for the work of an item. Never rejects. */
  async #finish(item: Item, work: Promise<void>): Promise<void> {
    const { logger } = this.#options.engines;
    try {
      await work;
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) {
        this.#fault ??= { error };
        return;
      }
      logger.warn({ err: error, topic: item.record.topic }, 'WorkRetried');
      this.#failures += 1;
      item.engineFailures += 1;
      if (!(await this.#setAside(item))) {
        item.state = 'failed';
        return;
      }
    }
    item.state = 'done';
    this.#begun.finish(item.record.offset);
  }

  /** Appends an item that an engine keeps failing behind the others of its partition, so that those do not wait. */
  async #setAside({ engineFailures, record: { topic, key, value } }: Item): Promise<boolean> {
    if (engineFailures < ENGINE_FAILURES_MAX || this.#window.size === 1) return false;
    const { log, logger } = this.#options.engines;
    try {
      await log.append([{ topic, key, value }]);
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) this.#fault ??= { error };
      return false;
    }
    logger.warn({ topic }, 'WorkSetAside');
    return true;
  }

  /** True if this delivery has nothing left to begin or to end, or if enough of it is finished. */
  #isToReturn(items: readonly Item[], hasFinished: boolean): boolean {
    if (this.#inWork.size === 0) return true;
    const done = items.findIndex(({ state }) => state !== 'done');
    if (done < 0 || done >= FINISHED_AHEAD * this.#options.itemsAtOnce) return true;
    return hasFinished && items.every(({ state }) => state !== 'waiting');
  }

  /** Waits until an item has ended, at most for `LOOK_MS`. Returns false if none has. */
  async #changes(): Promise<boolean> {
    const change = Promise.withResolvers<void>();
    this.#wake = change.resolve;
    const hasChanged = this.#hasChanged || (await settlesWithin(LOOK_MS, change.promise));
    this.#hasChanged = false;
    return hasChanged;
  }

  #progress(items: readonly Item[]): Progress {
    const open = items.find(({ state }) => state !== 'done');
    const nextOffset = open?.record.offset ?? (items.at(-1)?.record.offset ?? -1) + 1;
    if (this.#inWork.size > 0) return { nextOffset, pauseMs: 0 };
    if (open !== undefined) return { nextOffset, pauseMs: retryDelayMs(Math.max(1, this.#failures)) };
    this.#begun.endAll();
    return { nextOffset, pauseMs: 0 };
  }
}
