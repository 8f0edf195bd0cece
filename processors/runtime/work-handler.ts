// Reads: one partition of a work topic. Writes: the commands that report results, and dead letters.
import {
  type Command,
  type CommandOf,
  type CommandSchemas,
  parseCommand,
} from '../../schemas/base/command.ts';
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
import { pauseBefore } from './backoff.ts';
import { eachBounded } from './bounded.ts';
import { reasonOf, sendDeadLetter } from './dead-letters.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import type { CommandEffect } from './fold.ts';
import { followUp } from './follow-up.ts';

/**
 * Work that does I/O and takes time, and therefore is no fold (design rule 8). An item may be handled more than once, by
 * several workers at the same time; that has to be harmless.
 */
export interface WorkDefinition<Schemas extends CommandSchemas> {
  readonly topic: TopicName;
  readonly schemas: Schemas;
  /** Items of one partition that are worked on at the same time. */
  readonly itemsAtOnce: number;
  /** Attempts on one item before it ends in the dead letters. An engine that is down is not counted. */
  readonly attemptsMax: number;
  /** Does the work and says which command reports it; null when nothing is to be reported. */
  handle(item: CommandOf<Schemas>, signal: AbortSignal): Promise<CommandEffect | null>;
  /** The command that reports that an item ended in the dead letters. */
  failed(item: CommandOf<Schemas>): CommandEffect | null;
}

/** A definition with its types erased. */
export type AnyWork = WorkDefinition<CommandSchemas>;

/** Declares work and erases its types: the runtime hands it only what its own schemas have parsed. */
export function defineWork<Schemas extends CommandSchemas>(work: WorkDefinition<Schemas>): AnyWork {
  return work as unknown as AnyWork;
}

/** Deliveries are short, so that what is done is committed soon. */
const DELIVERIES_AHEAD = 2;

/** The subscription that works off the items of a topic: one group, any number of workers. */
export function workSubscription(work: AnyWork, engines: ProcessorDependencies): Subscription {
  return {
    group: workGroupOf(work.topic),
    topic: work.topic,
    batchRecordsMax: work.itemsAtOnce * DELIVERIES_AHEAD,
    open: (assignment) => new WorkHandler(work, engines, assignment),
  };
}

class WorkHandler implements PartitionHandler {
  readonly #work: AnyWork;
  readonly #engines: ProcessorDependencies;
  readonly #assignment: PartitionAssignment;
  readonly #closing = new AbortController();
  #failures = 0;

  constructor(work: AnyWork, engines: ProcessorDependencies, assignment: PartitionAssignment) {
    this.#work = work;
    this.#engines = engines;
    this.#assignment = assignment;
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const last = records.at(-1);
    if (last === undefined) throw new Error('handling a delivery without records');
    const open: number[] = [];
    await eachBounded(records, this.#work.itemsAtOnce, async (record) => {
      if (!this.#assignment.mayBegin() || !(await this.#settled(record))) open.push(record.offset);
    });
    if (open.length === 0) {
      this.#failures = 0;
      return { nextOffset: last.offset + 1, pauseMs: 0 };
    }
    this.#failures += 1;
    return { nextOffset: Math.min(...open), pauseMs: pauseBefore(this.#failures) };
  }

  async idle(): Promise<IdleProgress> {
    return 'done';
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** Whether the item is done with: reported, or in the dead letters. False: it has to come again. */
  async #settled(record: LogRecord): Promise<boolean> {
    try {
      await this.#settle(record);
      return true;
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#engines.logger.warn({ err: error, topic: record.topic }, 'WorkRetried');
      return false;
    }
  }

  async #settle(record: LogRecord): Promise<void> {
    let item: Command;
    try {
      item = parseCommand(this.#work.schemas, record.value) as Command;
    } catch (error) {
      await sendDeadLetter(this.#engines, record, reasonOf(error));
      return;
    }
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
        await sendDeadLetter(this.#engines, record, reasonOf(error));
        await this.#report(item, this.#work.failed(item));
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
