// Reads one partition of a work topic.
import { setMaxListeners } from 'node:events';
import { type Backoff, backoffMs } from '../../../schemas/base/backoff.ts';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Progress,
} from '../../../topics/ports/log.ts';
import { retryDelayMs } from '../backoff.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import { BegunWork } from './begun-work.ts';
import { ALONE_MS_MAX, type WorkLane } from './work-lane.ts';

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

/** Processes that may end during an item beside others, before it is tried alone. */
export const ENDS_BESIDE_MAX = 3;

/** Processes that may end during an item that they have alone in work, before it counts as the cause. */
export const ENDED_PROCESSES_MAX = 5;

/**
 * Time for which a process lives without a suspected item before it tries the item: more for each process that ended while it
 * had the item alone.
 */
const HELD_BACK: Backoff = { firstMs: 10_000, maxMs: 160_000 };

/** Time after which an item that is held back for longer waits for its turn: behind those that are not. */
const BEHIND_OTHERS_MS = 15_000;

/** Shortest time between two suspected items in which others may begin. */
const BETWEEN_TURNS_MS = 2 * LOOK_MS;

/** Consecutive times that an engine may fail an item, before it moves to the end of its partition. */
const ENGINE_FAILURES_MAX = 5;

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
  /** The lane of this process; null: an end of the process is not counted for any item. */
  readonly lane: WorkLane | null;
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
  /** Items in work, without suspected ones. */
  #besideOthers = 0;
  /** Aborted when the partition is to be given back. */
  #leaving = leavingController();
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

  /** Waits for the items in work. An end of the process meanwhile is not counted. */
  async close(): Promise<void> {
    this.#leaving.abort();
    this.#leaving = leavingController();
    for (const item of this.#window.values()) item.isNoted = false;
    if (this.#options.assignment.isCurrent()) await this.#begun.clear();
    await Promise.all(this.#inWork);
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
    if (!this.#options.assignment.mayBegin()) return await this.close();
    try {
      if (this.#options.lane !== null) await this.#beginSuspected(items, this.#options.lane);
      await this.#beginOthers(items.filter(({ state }) => state === 'waiting'));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#failures += 1;
      for (const item of items) if (item.state === 'waiting') item.state = 'failed';
    }
  }

  async #beginSuspected(items: readonly Item[], lane: WorkLane): Promise<void> {
    await this.#begun.load(items[0]?.record.offset ?? 0);
    for (const item of items) {
      const { beside, alone } = this.#begun.endsOf(item.record.offset);
      const isSuspected = beside >= ENDS_BESIDE_MAX && alone < ENDED_PROCESSES_MAX;
      if (isSuspected && item.state === 'waiting') this.#run(item, () => this.#tryAlone(item, lane));
    }
  }

  async #beginOthers(waiting: readonly Item[]): Promise<void> {
    const next = this.#admit(waiting);
    try {
      if (next.some(({ isNoted }) => !isNoted)) await this.#note(waiting, next.length);
      if (this.#options.assignment.mayBegin()) for (const item of next.splice(0)) this.#begin(item);
    } finally {
      for (const _ of next) this.#leave();
    }
  }

  /** Takes a place for each item that may begin now. */
  #admit(waiting: readonly Item[]): Item[] {
    const { itemsAtOnce, lane } = this.#options;
    const next: Item[] = [];
    for (const item of waiting.slice(0, itemsAtOnce - this.#besideOthers)) {
      if (lane !== null && !lane.tryBegin()) break;
      this.#besideOthers += 1;
      next.push(item);
    }
    return next;
  }

  #leave(): void {
    this.#besideOthers -= 1;
    this.#options.lane?.end();
  }

  /** Notes the next `count` items before they begin, and some of those behind them in the same write. */
  async #note(waiting: readonly Item[], count: number): Promise<void> {
    if (this.#options.lane === null) return;
    const noted = waiting.slice(0, count + this.#options.itemsAtOnce).filter(({ isNoted }) => !isNoted);
    await this.#begun.begin(noted.map(({ record }) => record.offset));
    for (const item of noted) item.isNoted = true;
  }

  /** Begins an item that has its place. */
  #begin(item: Item): void {
    const { items } = this.#options;
    const { record } = item;
    const { alone } = this.#begun.endsOf(record.offset);
    const reason = `ending ${alone} processes that had nothing else in work`;
    this.#run(item, () =>
      (alone < ENDED_PROCESSES_MAX
        ? items.handle(record, this.#leaving.signal)
        : items.giveUp(record, reason)
      ).finally(() => this.#leave()),
    );
  }

  /**
   * Handles an item that may have ended earlier processes, alone in this one, so that another end would identify it. First this
   * process has to live without the item: one that ends then, or ends without the item, has another cause.
   */
  async #tryAlone(item: Item, lane: WorkLane): Promise<void> {
    const { engines, items } = this.#options;
    const { signal } = this.#leaving;
    const { record } = item;
    const { beside, alone } = this.#begun.endsOf(record.offset);
    const handle = async (isAlone: boolean): Promise<void> => {
      if (isAlone && !signal.aborted) await this.#begun.beginAlone(record.offset);
      if (signal.aborted) return;
      await items.handle(record, signal);
      this.#begun.finish(record.offset);
      item.state = 'done';
    };
    const heldBackMs = backoffMs(alone + 1, HELD_BACK);
    engines.logger.warn({ topic: record.topic, ends: beside + alone, ms: heldBackMs }, 'WorkHeldBack');
    const inLineAfterMs = Math.min(heldBackMs, BEHIND_OTHERS_MS);
    if (await passes(inLineAfterMs, signal)) {
      await lane.inTurn(signal, async () => {
        if (alone > 0) await this.#begun.hold(record.offset);
        if (!(await passes(heldBackMs - inLineAfterMs, signal))) return;
        const begunAt = engines.clock.now();
        await lane.runAlone(signal, handle, () => this.#withdraw(record.offset, signal));
        // The next suspected item leaves others as much time as this one took.
        const tookMs = Math.min(engines.clock.now() - begunAt, ALONE_MS_MAX);
        await passes(Math.max(tookMs, BETWEEN_TURNS_MS), signal);
      });
    }
    if (item.state === 'begun') item.state = 'waiting';
  }

  /** Stores that an item is not alone any more, as soon as the store takes that. */
  async #withdraw(offset: number, signal: AbortSignal): Promise<void> {
    for (let retry = 1; this.#options.assignment.isCurrent() && !signal.aborted; retry += 1) {
      try {
        await this.#begun.withdraw(offset);
        return;
      } catch (error) {
        if (!(error instanceof EngineUnavailableError)) throw error;
        await passes(retryDelayMs(retry), signal);
      }
    }
  }

  /** Does the work of an item. */
  #run(item: Item, work: () => Promise<void>): void {
    item.state = 'begun';
    const inWork = this.#finish(item, work()).finally(() => {
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
    if (item.state !== 'begun') return;
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

function leavingController(): AbortController {
  const controller = new AbortController();
  // Every item of the window may wait.
  setMaxListeners(WINDOW_RECORDS, controller.signal);
  return controller;
}

/** Waits for `milliseconds`. False if the signal is aborted first. */
async function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener('abort', abort, { once: true });
  if (!signal.aborted) await settlesWithin(milliseconds, aborted.promise);
  signal.removeEventListener('abort', abort);
  return !signal.aborted;
}
