// Reads work items. Writes the commands that report their results, and dead letters.
import {
  type Command,
  type CommandOf,
  type InputTable,
  parseCommand,
} from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { traceIdOf } from '../../../schemas/base/traceparent.ts';
import { type TopicName, workGroupOf } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { LogRecord, Subscription } from '../../../topics/ports/log.ts';
import { reasonOf, sendDeadLetter } from '../dead-letters.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import { followUp } from '../effects/follow-up.ts';
import type { CommandEffect } from '../fold/fold.ts';
import { traceRecord } from '../record-spans.ts';
import type { WorkLane } from './work-lane.ts';
import { type ItemHandler, WINDOW_RECORDS, WorkWindow } from './work-window.ts';

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
  /**
   * Does the work and returns the command that reports it; null if there is nothing to report.
   *
   * @param leaving aborted when the partition is to be given back: work that only waits should be refused
   */
  handle(item: CommandOf<Table>, leaving: AbortSignal): Promise<CommandEffect | null>;
  /** Returns the command that reports an item in the dead-letter queue. */
  failed(item: CommandOf<Table>): CommandEffect | null;
}

/** A definition with its types erased. */
export type AnyWork = WorkDefinition<InputTable>;

/** Declares work and erases its types: the runtime passes it only input that its own schemas have parsed. */
export function defineWork<Table extends InputTable>(work: WorkDefinition<Table>): AnyWork {
  return work as unknown as AnyWork;
}

/**
 * Returns the subscription to the items of a topic: one group, any number of consumers.
 *
 * @param lane the one of this process, for all its works; null for a work that begins no item twice: it counts no ends of processes
 */
export function workSubscription(
  work: AnyWork,
  engines: ProcessorDependencies,
  lane: WorkLane | null,
): Subscription {
  const { itemsAtOnce } = work;
  const items = new WorkItems(work, engines);
  return {
    group: workGroupOf(work.topic),
    topic: work.topic,
    batchRecordsMax: WINDOW_RECORDS,
    open: (assignment) => new WorkWindow({ items, itemsAtOnce, engines, lane, assignment }),
  };
}

class WorkItems implements ItemHandler {
  readonly #work: AnyWork;
  readonly #engines: ProcessorDependencies;

  constructor(work: AnyWork, engines: ProcessorDependencies) {
    this.#work = work;
    this.#engines = engines;
  }

  async handle(record: LogRecord, leaving: AbortSignal): Promise<void> {
    const parsed = await this.#parse(record);
    if (parsed === null) return;
    const { command, span } = traceRecord(this.#engines.tracer, record, parsed);
    const begun = performance.now();
    let result: 'done' | 'failed' | 'interrupted' = 'interrupted';
    try {
      result = await this.#handle(record, command, leaving);
    } catch (error) {
      span.fail();
      throw error;
    } finally {
      span.end();
      this.#engines.meter?.worked(this.#work.topic, result, performance.now() - begun);
    }
  }

  async #handle(record: LogRecord, item: Command, leaving: AbortSignal): Promise<'done' | 'failed'> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#report(item, await this.#work.handle(item, leaving));
        return 'done';
      } catch (error) {
        if (error instanceof EngineUnavailableError) throw error;
        this.#engines.logger.error(
          {
            err: error,
            requestId: item.requestId,
            traceId: traceIdOf(item.traceparent),
            type: item.type,
            attempt,
          },
          'WorkFailed',
        );
        if (attempt < this.#work.attemptsMax) continue;
        await this.#giveUp(record, item, reasonOf(error));
        return 'failed';
      }
    }
  }

  async giveUp(record: LogRecord, reason: string): Promise<void> {
    const item = await this.#parse(record);
    if (item !== null) await this.#giveUp(record, item, reason);
  }

  /** Returns null if the item is unreadable; it is then in the dead-letter queue. */
  async #parse(record: LogRecord): Promise<Command | null> {
    try {
      return parseCommand(this.#work.items, record.value) as Command;
    } catch (error) {
      await this.#setAside(record, reasonOf(error));
      return null;
    }
  }

  async #giveUp(record: LogRecord, item: Command, reason: string): Promise<void> {
    await this.#setAside(record, reason);
    await this.#report(item, this.#work.failed(item));
  }

  async #setAside(record: LogRecord, reason: string): Promise<void> {
    await sendDeadLetter(this.#engines, record, { group: workGroupOf(this.#work.topic), reason });
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
