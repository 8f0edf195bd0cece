import type { Command } from '../../../schemas/base/command.ts';
import { type EraseItem, eraseRowsSchema } from '../../../schemas/base/erasure.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { AnyFold, AnyResult, CommandEffect, FoldContext } from '../fold/fold.ts';

/**
 * Creates the command that removes the next rows of an erased aggregate. The fold that marks the root as erased sends
 * the first one; the runtime sends the others until no row is left.
 *
 * @param after the last removed row. Rows before it are not read again: a store keeps tombstones of removed rows for
 *   days, and refuses to read past too many. Cassandra refuses at 100,000 (`tombstone_failure_threshold`).
 */
export function eraseMore(topic: CommandTopicName, aggregate: string, after?: RowKey): CommandEffect {
  const input: EraseItem = { topic, aggregate, ...(after === undefined ? {} : { after }) };
  return { kind: 'command', topic: 'erasures', key: aggregate, type: 'erase', input };
}

/**
 * Creates the command that removes dead letters: records about what a fold erases, which would bring back a part of it if they
 * were sent again.
 *
 * @param about the id or HMAC that these records name
 */
export function eraseDeadLetters(about: string, { aggregate, now }: FoldContext): CommandEffect {
  return {
    kind: 'command',
    topic: 'erasures',
    key: aggregate,
    type: 'erase-letters',
    input: { about, before: now },
  };
}

/** The command that removes rows of an erased aggregate. */
export function eraseRows(
  topic: CommandTopicName,
  aggregate: string,
  rows: readonly RowKey[],
): CommandEffect {
  const input = { rows: rows.map(({ kind, id }) => ({ kind, id })) };
  return { kind: 'command', topic, key: aggregate, type: 'erase-rows', input };
}

/** True if an aggregate was erased. @param root the product's root as it is stored: an `emptyRoot` says nothing about it */
export function isErased(fold: AnyFold, root: JsonObject | null): boolean {
  return root !== null && fold.isErased?.(root) === true;
}

/**
 * Returns the result of a handler for an erased aggregate, with effects that remove what it stores. Commands still
 * arrive there: from workers in progress, from clients that repeat a request, and follow-ups whose sender ended before
 * it knew that they were sent. Each repeat is refused in the same way, so no refusal has to be remembered, and a refusal may release
 * its reservation any number of times. The ring of recent outcomes keeps the answer for a waiter, until the next rows
 * are removed.
 */
export function leavingNothing(
  topic: CommandTopicName,
  aggregate: string,
  command: Command,
  result: AnyResult,
): AnyResult {
  const next = nextRound(topic, aggregate, command, result);
  return { ...result, remember: false, effects: [...(result.effects ?? []), ...next] };
}

/** Returns the commands that remove the rows which a command leaves, or may have left, in an erased aggregate. */
function nextRound(
  topic: CommandTopicName,
  aggregate: string,
  command: Command,
  { put = [] }: AnyResult,
): readonly CommandEffect[] {
  // A report on a row that is not removed yet has written rows. They may lie before the position of the rounds, so a
  // round begins at the start.
  if (put.length > 0) return [eraseMore(topic, aggregate)];
  const after = lastRemoved(command) ?? (command.replyTo === null ? null : BEFORE_RING);
  return after === null ? [] : [eraseMore(topic, aggregate, after)];
}

/** The key before the ring's first row. A refused command leaves rows in the ring only. */
const BEFORE_RING: RowKey = { kind: RUNTIME_KINDS.recent, id: '' };

/** The last of the rows that a command removes of an erased aggregate, or null for every other command. */
function lastRemoved({ type, input }: Command): RowKey | null {
  const last = type === 'erase-rows' ? eraseRowsSchema.parse(input).rows.at(-1) : undefined;
  return last === undefined ? null : { kind: last.kind, id: last.id };
}
