// Reads: a command topic, as late as what it brought can end. Writes: the commands that tidy up.
import {
  type Actor,
  type Command,
  type CommandOf,
  type InputTable,
  parseCommand,
} from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { DAY_MS, MINUTE_MS } from '../../schemas/base/time.ts';
import { type CommandTopicName, TOPICS } from '../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type {
  IdleProgress,
  LogRecord,
  NewRecord,
  PartitionHandler,
  Progress,
  Subscription,
} from '../../topics/ports/log.ts';
import { pauseBefore } from './backoff.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import type { CommandEffect } from './fold.ts';
import { followUp } from './follow-up.ts';

/** Work that becomes due some time after a command of a topic. */
export interface Sweep<Table extends InputTable> {
  /** Names the group of consumers with the topic: `sweep-<topic>-<name>`. */
  readonly name: string;
  readonly topic: CommandTopicName;
  readonly commands: Table;
  /** The types of commands that bring what can end. Records of others are not even parsed: they may be many. */
  readonly types: readonly (keyof Table & string)[];
  /** Time after a record at which its resource can end. */
  readonly delayMs: number;
  /** The commands that tidy up what this record brought, if it may have ended. They decide for themselves. */
  due(command: CommandOf<Table>, aggregate: string): Promise<readonly CommandEffect[]>;
}

type SweeperEngines = Pick<ProcessorDependencies, 'log' | 'clock' | 'logger'>;

/** A little later than the end itself, so that the command that tidies up finds it over. */
const GRACE_MS = MINUTE_MS;

/** Records are looked at this long before they leave the topic, whatever the limits say. */
const BEFORE_RETENTION_MS = DAY_MS;

const RECORDS_AT_ONCE = 100;

/** The longest sleep of the sweeper; what becomes due meanwhile is not available to clients anyway. */
const PAUSE_MS_MAX = 10 * MINUTE_MS;

/**
 * Tidies up what has ended. The topic itself says what there is: a reader that stays behind it by the life of a thing meets
 * every such thing when its time is over. It keeps its place like every consumer, so nothing is forgotten over a restart,
 * and nothing depends on its being in time: ends are computed at each read.
 */
export function sweepSubscription<Table extends InputTable>(
  sweep: Sweep<Table>,
  engines: SweeperEngines,
): Subscription {
  return {
    group: `sweep-${sweep.topic}-${sweep.name}`,
    topic: sweep.topic,
    batchRecordsMax: RECORDS_AT_ONCE,
    open: () => new SweepHandler(sweep, engines),
  };
}

class SweepHandler<Table extends InputTable> implements PartitionHandler {
  readonly #sweep: Sweep<Table>;
  readonly #engines: SweeperEngines;
  readonly #delayMs: number;
  /** Texts that a record of one of the types contains. */
  readonly #marks: readonly string[];
  #failures = 0;

  constructor(sweep: Sweep<Table>, engines: SweeperEngines) {
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
    const notYet = records.findIndex((record) => now < this.#dueAt(record));
    const due = notYet === -1 ? records : records.slice(0, notYet);
    try {
      await this.#tidy(due, now);
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) throw error;
      this.#engines.logger.warn({ err: error, sweep: this.#sweep.name }, 'SweepRetried');
      this.#failures += 1;
      return { nextOffset: first.offset, pauseMs: pauseBefore(this.#failures) };
    }
    const next = records[notYet];
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

  /** Sends what tidies up after these records: each command once. */
  async #tidy(records: readonly LogRecord[], now: number): Promise<void> {
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

/** The command of a record, or null for one that cannot be read: the fold has sent it to the dead letters. */
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

/** The record that carries a command out. It belongs to no request: it only names the one that began it. */
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
