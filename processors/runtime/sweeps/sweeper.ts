// Reads: a topic of commands or work items, delayed by the lifetime of its resources. Writes: commands that remove ended ones.
import {
  type Actor,
  type Command,
  type CommandOf,
  type InputTable,
  parseCommand,
} from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { type CommandTopicName, sweepGroupOf, TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  NewRecord,
  PartitionHandler,
  Progress,
  Subscription,
} from '../../../topics/ports/log.ts';
import { retryDelayMs } from '../backoff.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import { followUp } from '../effects/follow-up.ts';
import type { CommandEffect } from '../fold/fold.ts';

/** Work that becomes due some time after a command, or an item of work, of a topic. */
export interface Sweep<Table extends InputTable, From extends TopicName = CommandTopicName> {
  /** Names the group of consumers with the topic: `sweep-<topic>-<name>`. */
  readonly name: string;
  readonly topic: From;
  readonly commands: Table;
  /** The types of commands that create something with an end. Records of other types, which may be many, are not parsed. */
  readonly types: readonly (keyof Table & string)[];
  /** Time after a record at which its resource can end. */
  readonly delayMs: number;
  /** Returns the commands that remove what this record created, if it may have ended. Their folds decide. */
  due(command: CommandOf<Table>, aggregate: string): Promise<readonly CommandEffect[]>;
}

type SweeperEngines = Pick<ProcessorDependencies, 'log' | 'clock' | 'logger'>;

/** Extra delay, so that the removal arrives after the end. */
const GRACE_MS = MINUTE_MS;

/** Records are read at the latest this long before they leave the topic, whatever the limits say. */
const BEFORE_RETENTION_MS = DAY_MS;

const RECORDS_AT_ONCE = 100;

/** The longest sleep of the sweeper. Clients cannot read ended resources, so a late removal does not matter. */
const PAUSE_MS_MAX = 10 * MINUTE_MS;

/**
 * Returns a subscription that sends commands for ended resources. Its consumer stays behind the topic by the lifetime of a
 * resource, so it reads the command that created a resource just after the resource has ended. It commits offsets like every
 * consumer, so a restart loses nothing. Correctness does not depend on its timing: each read of a resource computes its end.
 */
export function sweepSubscription<Table extends InputTable>(
  sweep: Sweep<Table, TopicName>,
  engines: SweeperEngines,
): Subscription {
  return {
    group: sweepGroupOf(sweep.topic, sweep.name),
    topic: sweep.topic,
    batchRecordsMax: RECORDS_AT_ONCE,
    open: () => new SweepHandler(sweep, engines),
  };
}

class SweepHandler<Table extends InputTable> implements PartitionHandler {
  readonly #sweep: Sweep<Table, TopicName>;
  readonly #engines: SweeperEngines;
  readonly #delayMs: number;
  /** The texts by which records of the types are found without parsing. */
  readonly #marks: readonly string[];
  #failures = 0;

  constructor(sweep: Sweep<Table, TopicName>, engines: SweeperEngines) {
    this.#sweep = sweep;
    this.#engines = engines;
    this.#marks = sweep.types.map((type) => `"type":${JSON.stringify(type)}`);
    const { retentionMs } = TOPICS[sweep.topic];
    this.#delayMs = Math.min(sweep.delayMs + GRACE_MS, retentionMs - BEFORE_RETENTION_MS);
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const [first] = records;
    if (first === undefined) throw new Error('handling a delivery without records');
    const now = this.#engines.clock.now();
    const firstNotDue = records.findIndex((record) => now < this.#dueAt(record));
    const due = firstNotDue === -1 ? records : records.slice(0, firstNotDue);
    try {
      await this.#sendDue(due, now);
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#engines.logger.warn({ err: error, sweep: this.#sweep.name }, 'SweepRetried');
      this.#failures += 1;
      return { nextOffset: first.offset, pauseMs: retryDelayMs(this.#failures) };
    }
    const next = records[firstNotDue];
    const waitMs = next === undefined ? 0 : this.#dueAt(next) - now;
    return { nextOffset: offsetAfter(first, due), pauseMs: Math.min(PAUSE_MS_MAX, waitMs) };
  }

  async idle(): Promise<IdleProgress> {
    return 'done';
  }

  async close(): Promise<void> {}

  #dueAt(record: LogRecord): number {
    return record.appendedAt + this.#delayMs;
  }

  /** Sends the commands that these records make due, each once. */
  async #sendDue(records: readonly LogRecord[], now: number): Promise<void> {
    const commands = new Map<string, NewRecord>();
    for (const record of records) {
      if (!this.#marks.some((mark) => record.value.includes(mark))) continue;
      const command = readCommand(this.#sweep.commands, record);
      if (command === null) continue;
      for (const effect of await this.#sweep.due(command, record.key)) {
        commands.set(`${effect.key} ${JSON.stringify(effect.input)}`, recordOf(effect, record, command, now));
      }
    }
    if (commands.size > 0) await this.#engines.log.append([...commands.values()]);
  }
}

function offsetAfter(first: LogRecord, due: readonly LogRecord[]): number {
  const last = due.at(-1);
  return last === undefined ? first.offset : last.offset + 1;
}

/** Returns the command of a record, or null if it is unreadable. The fold has then sent it to the dead-letter queue. */
function readCommand<Table extends InputTable>(
  commands: Table,
  { value }: LogRecord,
): CommandOf<Table> | null {
  try {
    return parseCommand(commands, value);
  } catch {
    return null;
  }
}

const SWEEPER: Actor = { kind: 'system', id: 'sweeper' };

/** Returns the record of a command. No request waits for it; it carries the id of the request that led to it. */
function recordOf(
  effect: CommandEffect,
  { topic, partition, offset }: LogRecord,
  { requestId }: Pick<Command, 'requestId'>,
  at: number,
): NewRecord {
  const key = digestOf([topic, partition, offset, effect.type, effect.input]);
  const envelope = followUp(effect, { requestId, replyTo: null, actor: SWEEPER }, { key, at });
  return { topic: effect.topic, key: effect.key, value: JSON.stringify(envelope) };
}
