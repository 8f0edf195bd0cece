import { carriedResult } from '../../../schemas/base/carried.ts';
import type { Command } from '../../../schemas/base/command.ts';
import type { FoundOutcome, Outcome } from '../../../schemas/base/outcome.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { NO_SPAN } from '../../../topics/ports/tracer.ts';
import { POISONED } from '../dead-letters.ts';
import { type AnyFold, commandsToFold } from '../fold/fold.ts';
import { addRecentOutcome, storedOutcome } from '../fold/fold-step.ts';
import type { TracedCommand } from '../record-spans.ts';
import { isErased } from '../sweeps/erasure.ts';
import type { WorkingSet } from './working-set.ts';

/** A record of the log with its parsed envelope and input. */
export interface ParsedRecord extends TracedCommand {
  readonly record: LogRecord;
}

/** A record with the outcome of its command. */
export interface Decided extends ParsedRecord {
  readonly outcome: Outcome;
}

/** A command to fold: that of a record, or one of those that a record carries. */
export interface Unit extends ParsedRecord {
  /** The record that carries it; null for the record's own command. */
  readonly carrier: Carrier | null;
  /** True if the record has no further one. */
  readonly isLast: boolean;
}

/** Returns the commands of a record. One that is carried has the form of a record in which it came alone. */
export function unitsOf(fold: AnyFold, parsed: ParsedRecord): Unit[] {
  const commands = commandsToFold(fold, parsed.command);
  if (commands[0] === parsed.command) return [{ ...parsed, carrier: null, isLast: true }];
  const carrier = new Carrier(parsed);
  return commands.map((command, index) => ({
    command,
    record: parsed.record,
    span: NO_SPAN,
    carrier,
    isLast: index === commands.length - 1,
  }));
}

/** Returns the record of a unit as it would be if its command had come alone. */
export function recordOf({ record, command, carrier }: Unit): LogRecord {
  return carrier === null ? record : { ...record, value: JSON.stringify(command) };
}

/** A record that carries commands, with the outcomes of those that are folded. */
export class Carrier {
  readonly parsed: ParsedRecord;
  readonly #outcomes: Outcome[] = [];
  /** The same, with null for an outcome that is stored under its key. */
  readonly #unstored: (Outcome | null)[] = [];

  constructor(parsed: ParsedRecord) {
    this.parsed = parsed;
  }

  /** @param working the rows after the command was folded */
  add({ command }: Unit, outcome: Outcome, working: WorkingSet): void {
    // The row of a command that failed may be what cannot be read.
    const stored = outcome === POISONED ? null : storedOutcome(working, command);
    this.#outcomes.push(outcome);
    this.#unstored.push(stored?.inputDigest === command.inputDigest ? null : outcome);
  }

  /** The record with the outcomes of all its commands. */
  decided(): Decided {
    return { ...this.parsed, outcome: { kind: 'done', result: carriedResult(this.#outcomes) } };
  }

  /** The outcome for a waiter that reads it from the store, where the keys have the other outcomes. */
  found(): FoundOutcome {
    return { outcome: { kind: 'done', result: carriedResult(this.#unstored) } };
  }
}

/** Keeps an outcome in the ring, but not in an erased aggregate: nothing would remove it from there. */
export function keepForWaiter(
  fold: AnyFold,
  working: WorkingSet,
  { replyTo, requestId }: Command,
  found: FoundOutcome,
): void {
  if (replyTo !== null && !isErased(fold, working.root.state)) addRecentOutcome(working, requestId, found);
}
