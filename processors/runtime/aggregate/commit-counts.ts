import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Outcome } from '../../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import type { TracedCommand } from '../record-spans.ts';

type CountingDependencies = Pick<ProcessorDependencies, 'meter' | 'tally' | 'clock' | 'logClock'>;

interface Committed {
  readonly topic: CommandTopicName;
  /** The aggregate's id. */
  readonly key: string;
  /** The root document after the commit. */
  readonly root: JsonObject | null;
}

interface Decided extends TracedCommand {
  readonly record: LogRecord;
  readonly outcome: Outcome;
}

/**
 * Counts the commands of a commit.
 *
 * @param commands the number of all; those without an outcome came after their deadline
 */
export function countCommit(
  { meter, tally, clock, logClock = clock }: CountingDependencies,
  { topic, key, root }: Committed,
  commands: number,
  decided: readonly Decided[],
): void {
  tally?.committed({
    ...{ topic, key, root },
    decided: decided.map(({ command: { type }, record: { appendedAt }, outcome }) => ({
      ...{ type, outcome, appendedAt },
    })),
  });
  if (meter === undefined) return;
  const now = logClock.now();
  meter.committed(topic, commands, commands - decided.length);
  for (const { command, record, outcome } of decided) {
    meter.decided({ topic, type: command.type, outcome, ageMs: now - record.appendedAt });
  }
}
