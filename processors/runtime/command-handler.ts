// Reads one partition of a command topic. Writes the aggregates of its records, and dead letters.
import { type Command, parseCommand } from '../../schemas/base/command.ts';
import { MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { traceIdOf } from '../../schemas/base/traceparent.ts';
import { type CommandTopic, foldGroupOf, TOPICS } from '../../topics/catalogue.ts';
import { LostRecordsError } from '../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Position,
  Progress,
  Subscription,
} from '../../topics/ports/log.ts';
import { CachedAggregate, isBeyond, isEngineFailure, StaleAggregateError } from './aggregate/aggregate.ts';
import { AggregateCache } from './aggregate/aggregate-cache.ts';
import { type ParsedRecord, recordOf, type Unit } from './aggregate/units.ts';
import { UnreadableAggregateError } from './aggregate/unreadable.ts';
import { retryDelayMs } from './backoff.ts';
import { eachBounded } from './bounded.ts';
import { reasonOf, sendDeadLetter } from './dead-letters.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import { type AnyFold, handlerOf } from './fold/fold.ts';
import { runtimeFold } from './fold/runtime-fold.ts';
import { FoldScheduler } from './fold-scheduler.ts';
import { traceRecord } from './record-spans.ts';

/** Commands of one aggregate in one commit (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). */
export const BATCH_COMMANDS_MAX = 256;
export const BATCH_BYTES_MAX = 256 * 1_024;

/** Records in one delivery: the deeper the backlog, the deeper the batches. */
const DELIVERY_RECORDS_MAX = 20_000;

/**
 * Aggregates of one partition that are folded at the same time: their commits overlap, their order does not matter.
 */
const AGGREGATES_AT_ONCE_MAX = 16;

/**
 * Aggregates that are tidied together in quiet times, each with a commit. A record that arrives meanwhile, a stop and
 * a rebalance wait for no more than these.
 */
export const CLEANED_AT_ONCE_MAX = 16;

/** Lead of a record's time that means a wrong clock. Folding it would give the state a time in the future. */
const AHEAD_MS_MAX = 10 * MINUTE_MS;

/** Attempts on one aggregate within a delivery before its partition pauses: a stale one is loaded again at once. */
const STALE_RELOADS_MAX = 3;

/** Shared by the process, whose folds share one event loop. */
const foldScheduler = new FoldScheduler();

/**
 * Returns the subscription that folds a product's commands: one group for each product, one handler for each assigned
 * partition.
 */
export function foldSubscription(fold: AnyFold, engines: ProcessorDependencies): Subscription {
  return {
    group: foldGroupOf(fold.topic),
    topic: fold.topic,
    batchRecordsMax: DELIVERY_RECORDS_MAX,
    open: (assignment) => new CommandHandler(runtimeFold(fold), engines, assignment),
  };
}

/** Folds one partition while it is assigned. Its cache belongs to this assignment and ends with it. */
class CommandHandler implements PartitionHandler {
  readonly #fold: AnyFold;
  readonly #engines: ProcessorDependencies;
  readonly #assignment: PartitionAssignment;
  readonly #topic: CommandTopic;
  readonly #cache = new AggregateCache();
  #failures = 0;

  constructor(fold: AnyFold, engines: ProcessorDependencies, assignment: PartitionAssignment) {
    this.#fold = fold;
    this.#engines = engines;
    this.#assignment = assignment;
    this.#topic = TOPICS[fold.topic];
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const present = this.#withoutFutureRecords(records);
    const last = present.at(-1);
    if (last === undefined) throw new Error('handling a delivery without records');
    const aggregates = [...Map.groupBy(present, ({ key }) => key)];
    const resumeAt: number[] = [];
    await eachBounded(aggregates, AGGREGATES_AT_ONCE_MAX, async ([id, batch]) => {
      const open = await this.#processAggregate(id, batch);
      if (open !== null) resumeAt.push(open);
    });
    const evicted = this.#cache.evict();
    if (evicted > 0) this.#engines.meter?.evicted(this.#fold.topic, evicted);
    if (resumeAt.length === 0) {
      this.#failures = 0;
      return { nextOffset: last.offset + 1, pauseMs: 0 };
    }
    this.#failures += 1;
    return { nextOffset: Math.min(...resumeAt), pauseMs: retryDelayMs(this.#failures) };
  }

  /** Tidies a few aggregates. After an engine failure it stops until there has been work again. */
  async idle(): Promise<IdleProgress> {
    if (!this.#assignment.mayBegin()) return 'done';
    const waiting = [...this.#cache.entries()]
      .filter(([, aggregate]) => aggregate.hasPendingRows)
      .slice(0, CLEANED_AT_ONCE_MAX);
    const done = await Promise.all(waiting.map(([id, aggregate]) => this.#removePendingRows(id, aggregate)));
    return waiting.length < CLEANED_AT_ONCE_MAX || done.includes(false) ? 'done' : 'more';
  }

  /** Returns false if an engine failed. The cache may then differ from the store. */
  async #removePendingRows(id: string, aggregate: CachedAggregate): Promise<boolean> {
    try {
      await aggregate.tidy();
      return true;
    } catch (error) {
      if (!isEngineFailure(error)) throw error;
      this.#cache.drop(id);
      return error instanceof StaleAggregateError;
    }
  }

  async close(): Promise<void> {
    this.#cache.clear();
  }

  /**
   * Processes one aggregate's records. Returns null if all are done, else the offset from which they have to be
   * delivered again.
   */
  async #processAggregate(id: string, records: readonly LogRecord[]): Promise<number | null> {
    for (let done = 0; done < records.length; ) {
      const chunk = nextChunk(records, done);
      // A deep delivery may take longer than a stop or a rebalance waits, so no commit begins after the partition is
      // revoked.
      const isDone = this.#assignment.mayBegin() && (await this.#processChunk(id, chunk));
      if (!isDone) return chunk[0]?.offset ?? null;
      done += chunk.length;
    }
    return null;
  }

  /**
   * Processes the records of one commit; returns false if they have to be delivered again. Records are parsed here
   * and not earlier, so that a deep delivery blocks neither memory nor thread for long.
   */
  async #processChunk(id: string, records: readonly LogRecord[]): Promise<boolean> {
    const batch: ParsedRecord[] = [];
    try {
      await foldScheduler.acquire(shareOf(records));
      await this.#parse(records, batch);
      for (let reloads = 0; batch.length > 0 && !(await this.#isProcessed(id, batch, reloads)); )
        reloads += 1;
      return true;
    } catch (error) {
      this.#cache.drop(id);
      for (const { span } of batch) span.fail();
      if (!isEngineFailure(error)) throw error;
      this.#engines.logger.warn({ err: error, topic: this.#topic.table }, 'AggregateRetried');
      return false;
    } finally {
      for (const { span } of batch) span.end();
    }
  }

  /** Returns false if the cached aggregate was stale, and the batch has to be processed with the stored one. */
  async #isProcessed(id: string, batch: readonly ParsedRecord[], reloads: number): Promise<boolean> {
    if (!this.#assignment.isCurrent()) throw new StaleAggregateError();
    try {
      const aggregate = await this.#load(id, batch);
      await this.#refuseLostRecords(aggregate.applied);
      await aggregate.process(batch, (parsed, error) => this.#poison(parsed, error));
      this.#cache.keep(id, aggregate);
      return true;
    } catch (error) {
      if (error instanceof UnreadableAggregateError) return await this.#foldOrRefuse(id, batch, error);
      if (!(error instanceof StaleAggregateError) || reloads >= STALE_RELOADS_MAX) throw error;
      this.#cache.drop(id);
      return false;
    }
  }

  /**
   * Refuses the records of an aggregate of which the root or pending effects cannot be read, but those that were folded before,
   * until one of them needs neither. Returns false then: the records after it are tried again.
   */
  async #foldOrRefuse(
    id: string,
    batch: readonly ParsedRecord[],
    error: UnreadableAggregateError,
  ): Promise<boolean> {
    await this.#refuseLostRecords(error.applied);
    for (const parsed of batch) {
      if (!isBeyond(parsed.record, error.applied)) continue;
      if (await this.#isFolded(id, parsed)) return false;
      await this.#poison(parsed, error);
    }
    return true;
  }

  /** Folds a command that needs no content. Returns false if it needs what cannot be read. */
  async #isFolded(id: string, parsed: ParsedRecord): Promise<boolean> {
    const { admitsUnreadable, foldUnreadable } = handlerOf(this.#fold, parsed.command);
    if (admitsUnreadable === undefined && foldUnreadable === undefined) return false;
    const ref = { table: this.#topic.table, id };
    try {
      const aggregate = await CachedAggregate.loadUnreadable(this.#fold, this.#engines, ref, parsed);
      await aggregate.process([parsed], (poisoned, error) => this.#poison(poisoned, error));
      return true;
    } catch (error) {
      if (error instanceof UnreadableAggregateError) return false;
      throw error;
    }
  }

  async #load(id: string, chunk: readonly ParsedRecord[]): Promise<CachedAggregate> {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    const commands = chunk.map(({ command }) => command);
    return CachedAggregate.load(this.#fold, this.#engines, { table: this.#topic.table, id }, commands);
  }

  /** Adds the parsed records to a batch; unreadable ones go to the dead-letter queue. */
  async #parse(records: readonly LogRecord[], batch: ParsedRecord[]): Promise<void> {
    for (const record of records) {
      try {
        const command = parseCommand(this.#fold.commands, record.value) as Command;
        batch.push({ record, ...traceRecord(this.#engines.tracer, record, command) });
      } catch (error) {
        await this.#setAside(record, error);
      }
    }
  }

  async #poison(unit: ParsedRecord | Unit, error: unknown): Promise<void> {
    const { command, span } = unit;
    const { requestId, traceparent, type } = command;
    span.fail();
    this.#engines.logger.error(
      { err: error, requestId, traceId: traceIdOf(traceparent), type },
      'CommandPoisoned',
    );
    await this.#setAside('carrier' in unit ? recordOf(unit) : unit.record, error);
  }

  async #setAside(record: LogRecord, error: unknown): Promise<void> {
    const failure = { group: foldGroupOf(this.#fold.topic), reason: reasonOf(error) };
    await sendDeadLetter(this.#engines, record, failure);
  }

  /**
   * Returns the records before the first one from the future.
   *
   * @throws {Error} if the first one is from the future: the partition halts until the clock has caught up
   */
  #withoutFutureRecords(records: readonly LogRecord[]): readonly LogRecord[] {
    const now = this.#engines.clock.now();
    const at = records.findIndex(({ appendedAt }) => appendedAt > now + AHEAD_MS_MAX);
    const ahead = records[at];
    if (ahead === undefined) return records;
    if (at > 0) return records.slice(0, at);
    const seconds = Math.ceil((ahead.appendedAt - now) / SECOND_MS);
    throw new Error(
      `record ${ahead.offset} is stamped ${seconds} s ahead of this process's clock; at most ${AHEAD_MS_MAX / SECOND_MS} s are taken`,
    );
  }

  /**
   * Rejects a position beyond the log's end: the log has lost records from which state was made (ARCHITECTURE.md,
   * rule 13).
   */
  async #refuseLostRecords(applied: Position | null): Promise<void> {
    if (applied === null || applied.generation !== this.#assignment.generation) return;
    if (!(await this.#assignment.hasAppended(applied.offset))) {
      throw new LostRecordsError('holding an aggregate whose position lies beyond the end of its partition');
    }
  }
}

/** Characters of a record that count as one command for the scheduler: a long record carries many. */
const COMMAND_CHARACTERS = 1_024;

function shareOf(records: readonly LogRecord[]): number {
  return records.reduce((sum, { value }) => sum + Math.ceil(value.length / COMMAND_CHARACTERS), 0);
}

/** Returns the records from `from` that fit one commit: at least one. */
function nextChunk(records: readonly LogRecord[], from: number): readonly LogRecord[] {
  const most = Math.min(records.length, from + BATCH_COMMANDS_MAX);
  let bytes = 0;
  let end = from;
  for (; end < most; end += 1) {
    bytes += records[end]?.value.length ?? 0;
    if (end > from && bytes > BATCH_BYTES_MAX) break;
  }
  return records.slice(from, end);
}
