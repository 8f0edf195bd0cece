// Reads one partition of a work topic. Writes the commands that report results, and dead letters.
import { type Command, type CommandOf, type InputTable, parseCommand } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { type TopicName, workGroupOf } from '../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Progress,
  Subscription,
} from '../../topics/ports/log.ts';
import { retryDelayMs } from './backoff.ts';
import { BegunWork } from './begun-work.ts';
import { eachBounded } from './bounded.ts';
import { reasonOf, sendDeadLetter } from './dead-letters.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import type { CommandEffect } from './fold.ts';
import { followUp } from './follow-up.ts';

/**
 * Work that does I/O and takes time, and therefore is not a fold
 * (infra/docs/decisions/0018-begun-items-of-workers.md). An item may be handled more than once, also by several
 * consumers at the same time, without harm.
 */
export interface WorkDefinition<Table extends InputTable> {
  readonly topic: TopicName;
  readonly items: Table;
  /** Items of one partition that are handled at the same time. */
  readonly itemsAtOnce: number;
  /** Attempts on one item before it goes to the dead-letter queue. Failures of an engine do not count. */
  readonly attemptsMax: number;
  /** Does the work and returns the command that reports it; null if there is nothing to report. */
  handle(item: CommandOf<Table>, signal: AbortSignal): Promise<CommandEffect | null>;
  /** Returns the command that reports an item in the dead-letter queue. */
  failed(item: CommandOf<Table>): CommandEffect | null;
}

/** A definition with its types erased. */
export type AnyWork = WorkDefinition<InputTable>;

/** Declares work and erases its types: the runtime passes it only input that its own schemas have parsed. */
export function defineWork<Table extends InputTable>(work: WorkDefinition<Table>): AnyWork {
  return work as unknown as AnyWork;
}

/** Deliveries are short, so that finished items are committed soon. */
const DELIVERIES_AHEAD = 2;

/** Returns the subscription to the items of a topic: one group, any number of consumers. */
export function workSubscription(work: AnyWork, engines: ProcessorDependencies): Subscription {
  return {
    group: workGroupOf(work.topic),
    topic: work.topic,
    batchRecordsMax: work.itemsAtOnce * DELIVERIES_AHEAD,
    open: (assignment) => new WorkHandler(work, engines, assignment),
  };
}

/** Processes that may end during an item handled alone, before it counts as the cause. */
export const ENDED_PROCESSES_MAX = 5;

/** Consecutive deliveries in which an engine may fail an item, before it moves to the end of its partition. */
export const ENGINE_FAILURES_MAX = 5;

class WorkHandler implements PartitionHandler {
  readonly #work: AnyWork;
  readonly #engines: ProcessorDependencies;
  readonly #assignment: PartitionAssignment;
  readonly #closing = new AbortController();
  readonly #begun: BegunWork;
  /** Consecutive engine failures of items, by offset. */
  #engineFailures: ReadonlyMap<number, number> = new Map();
  #failures = 0;

  constructor(work: AnyWork, engines: ProcessorDependencies, assignment: PartitionAssignment) {
    this.#work = work;
    this.#engines = engines;
    this.#assignment = assignment;
    this.#begun = new BegunWork(engines, assignment);
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const last = records.at(-1);
    if (last === undefined) throw new Error('handling a delivery without records');
    const open = await this.#handleItems(records);
    if (open.length === 0) {
      this.#failures = 0;
      this.#begun.endAll();
      return { nextOffset: last.offset + 1, pauseMs: 0 };
    }
    this.#failures += 1;
    return { nextOffset: Math.min(...open), pauseMs: retryDelayMs(this.#failures) };
  }

  async idle(): Promise<IdleProgress> {
    return 'done';
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#assignment.isCurrent()) await this.#begun.clear();
  }

  /** Handles items, and returns the offsets of those that have to be delivered again. */
  async #handleItems(records: readonly LogRecord[]): Promise<readonly number[]> {
    const open: number[] = [];
    const failures = new Map<number, number>();
    const run = async (record: LogRecord, work: () => Promise<void>): Promise<void> => {
      if (!this.#assignment.mayBegin()) open.push(record.offset);
      else if (!(await this.#isDone(record, work))) {
        open.push(record.offset);
        failures.set(record.offset, (this.#engineFailures.get(record.offset) ?? 0) + 1);
      }
    };
    try {
      const before = await this.#begun.attemptsBefore(records);
      if (before.some((attempts) => attempts > 0)) {
        // One of these items may have ended an earlier process. Each runs alone, so that another end would identify
        // it.
        for (const [index, record] of records.entries())
          await run(record, () => this.#handleAlone(record, before[index] ?? 0));
      } else {
        await this.#begun.note(records);
        await eachBounded(records, this.#work.itemsAtOnce, (record) =>
          run(record, () => this.#handleItem(record)),
        );
      }
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      return records.map(({ offset }) => offset);
    }
    this.#engineFailures = failures;
    return records.length > 1 ? await this.#requeueFailing(records, open) : open;
  }

  /** Appends items that an engine keeps failing behind the others of their partition, so that those do not wait. */
  async #requeueFailing(records: readonly LogRecord[], open: readonly number[]): Promise<readonly number[]> {
    const failing = records.filter(
      ({ offset }) => (this.#engineFailures.get(offset) ?? 0) >= ENGINE_FAILURES_MAX,
    );
    if (failing.length === 0) return open;
    try {
      await this.#engines.log.append(failing.map(({ topic, key, value }) => ({ topic, key, value })));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      return open;
    }
    this.#engines.logger.warn({ topic: this.#work.topic, items: failing.length }, 'WorkSetAside');
    return open.filter((offset) => !failing.some((record) => record.offset === offset));
  }

  /**
   * True if the item is finished: reported, or in the dead-letter queue. False if an engine failed, and it has to be
   * delivered again.
   */
  async #isDone(record: LogRecord, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#engines.logger.warn({ err: error, topic: record.topic }, 'WorkRetried');
      return false;
    } finally {
      this.#begun.settle(record);
    }
  }

  /** Handles an item that was under way when `endedProcesses` earlier processes ended. */
  async #handleAlone(record: LogRecord, endedProcesses: number): Promise<void> {
    if (endedProcesses < ENDED_PROCESSES_MAX) {
      await this.#begun.note([record]);
      await this.#handleItem(record);
      return;
    }
    const item = await this.#parse(record);
    if (item !== null) await this.#giveUp(record, item, `ending ${endedProcesses} processes`);
  }

  /** Returns null if the item is unreadable; it is then in the dead-letter queue. */
  async #parse(record: LogRecord): Promise<Command | null> {
    try {
      return parseCommand(this.#work.items, record.value) as Command;
    } catch (error) {
      await sendDeadLetter(this.#engines, record, reasonOf(error));
      return null;
    }
  }

  async #giveUp(record: LogRecord, item: Command, reason: string): Promise<void> {
    await sendDeadLetter(this.#engines, record, reason);
    await this.#report(item, this.#work.failed(item));
  }

  async #handleItem(record: LogRecord): Promise<void> {
    const item = await this.#parse(record);
    if (item === null) return;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#report(item, await this.#work.handle(item, this.#closing.signal));
        return;
      } catch (error) {
        if (error instanceof EngineUnavailableError) throw error;
        this.#engines.logger.error(
          { err: error, requestId: item.requestId, type: item.type, attempt },
          'WorkFailed',
        );
        if (attempt < this.#work.attemptsMax) continue;
        await this.#giveUp(record, item, reasonOf(error));
        return;
      }
    }
  }

  async #report(item: Command, effect: CommandEffect | null): Promise<void> {
    if (effect === null) return;
    const key = digestOf([this.#work.topic, item.key, effect.type]);
    const envelope = followUp(effect, item, { key, at: this.#engines.clock.now() });
    await this.#engines.log.append([
      { topic: effect.topic, key: effect.key, value: JSON.stringify(envelope) },
    ]);
  }
}
