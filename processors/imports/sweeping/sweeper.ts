// Reads: the topic of the imports, as late as what it brought can end. Writes: the commands that tidy up.
import { type Actor, parseCommand } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { type ImportsCommand, importsCommands } from '../../../schemas/imports/commands.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  NewRecord,
  PartitionHandler,
  Progress,
  Subscription,
} from '../../../topics/ports/log.ts';
import { pauseBefore } from '../../runtime/backoff.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { CommandEffect } from '../../runtime/fold.ts';
import { followUp } from '../../runtime/follow-up.ts';
import { previewSweep, retentionSweep, type Sweep } from './sweeps.ts';

type SweeperEngines = Pick<ProcessorDependencies, 'store' | 'log' | 'clock' | 'logger'>;

/** A little later than the end itself, so that the command that tidies up finds it over. */
const GRACE_MS = MINUTE_MS;

/** Records are looked at this long before they leave the topic, whatever the limits say. */
const BEFORE_RETENTION_MS = DAY_MS;

const RECORDS_AT_ONCE = 100;

/** How long the sweeper sleeps at most; what became due meanwhile is not available to anybody anyway. */
const PAUSE_MS_MAX = 10 * MINUTE_MS;

/**
 * Tidies up what has ended (contract D "Retention"). The topic itself says what there is: a reader that stays behind it by
 * the life of an import meets every import when its time is over. It keeps its place like every consumer, so nothing is
 * forgotten over a restart, and nothing depends on its being in time: ends are computed wherever somebody looks.
 */
export function sweepSubscriptions(engines: SweeperEngines, limits: Limits): Subscription[] {
  return [previewSweep(engines, limits), retentionSweep(limits)].map((sweep) =>
    sweepSubscription(sweep, engines),
  );
}

function sweepSubscription(sweep: Sweep, engines: SweeperEngines): Subscription {
  return {
    group: `sweep-imports-${sweep.name}`,
    topic: 'imports',
    batchRecordsMax: RECORDS_AT_ONCE,
    open: () => new SweepHandler(sweep, engines),
  };
}

class SweepHandler implements PartitionHandler {
  readonly #sweep: Sweep;
  readonly #engines: SweeperEngines;
  readonly #delayMs: number;
  #failures = 0;

  constructor(sweep: Sweep, engines: SweeperEngines) {
    this.#sweep = sweep;
    this.#engines = engines;
    this.#delayMs = Math.min(sweep.delayMs + GRACE_MS, TOPICS.imports.retentionMs - BEFORE_RETENTION_MS);
  }

  async handle(records: readonly LogRecord[]): Promise<Progress> {
    const [first] = records;
    if (first === undefined) throw new Error('handling a delivery without records');
    const now = this.#engines.clock.now();
    const notYet = records.findIndex((record) => now < this.#dueAt(record));
    const due = notYet === -1 ? records : records.slice(0, notYet);
    const progress = progressAfter(first, due);
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
    return { ...progress, pauseMs: Math.min(PAUSE_MS_MAX, waitMs) };
  }

  async idle(): Promise<void> {}

  async close(): Promise<void> {}

  #dueAt(record: LogRecord): number {
    return record.appendedAt + this.#delayMs;
  }

  /** Sends what tidies up after these records: each command once. */
  async #tidy(records: readonly LogRecord[], now: number): Promise<void> {
    const commands = new Map<string, NewRecord>();
    for (const record of records) {
      const command = readCommand(record);
      if (command === null) continue;
      for (const effect of await this.#sweep.due(command, record.key)) {
        commands.set(`${effect.key} ${JSON.stringify(effect.input)}`, recordOf(effect, record, command, now));
      }
    }
    if (commands.size > 0) await this.#engines.log.append([...commands.values()]);
  }
}

function progressAfter(first: LogRecord, due: readonly LogRecord[]): Pick<Progress, 'nextOffset'> {
  const last = due.at(-1);
  return { nextOffset: last === undefined ? first.offset : last.offset + 1 };
}

/** The command of a record, or null for one that cannot be read: the fold has sent it to the dead letters. */
function readCommand({ value }: LogRecord): ImportsCommand | null {
  try {
    return parseCommand(importsCommands, value);
  } catch {
    return null;
  }
}

const SWEEPER: Actor = { kind: 'system', id: 'sweeper' };

/** The record that carries a command out. It belongs to no request: it only names the one that began it. */
function recordOf(
  effect: CommandEffect,
  { topic, partition, offset }: LogRecord,
  { requestId }: ImportsCommand,
  at: number,
): NewRecord {
  const key = digestOf([topic, partition, offset, effect.type, effect.input]);
  const envelope = followUp(effect, { requestId, replyTo: null, actor: SWEEPER }, { key, at });
  return { topic: effect.topic, key: effect.key, value: JSON.stringify(envelope) };
}
