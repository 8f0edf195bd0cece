import type { Command } from '../../schemas/base/command.ts';
import { type EraseItem, eraseRowsSchema } from '../../schemas/base/erasure.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold, AnyResult, CommandEffect } from './fold.ts';

/**
 * Asks for the next rows of an erased aggregate. A fold asks for it when it marks the root as erased; from then on the
 * runtime does, until none are left.
 *
 * @param after the last row that was removed. Rows before it are not read again: a store keeps
 * tombstones of removed rows for days, and refuses to read past too many. Cassandra does so at 100,000 (`tombstone_failure_threshold`).
 */
export function eraseMore(topic: CommandTopicName, aggregate: string, after?: RowKey): CommandEffect {
  const input: EraseItem = { topic, aggregate, ...(after === undefined ? {} : { after }) };
  return { kind: 'command', topic: 'erasures', key: aggregate, type: 'erase', input };
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
 * The result of a handler, with nothing left in an aggregate that was erased. Commands still come to one: from workers that
 * were at it, from clients that ask again, and every follow-up once more whose sender ended before it knew that it was sent.
 * Each is refused as before, now and later, so none has to be remembered: what a refusal gives back is given back once,
 * however often it is told. The ring keeps the answer for a waiter, until the next rows are removed.
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

/** Asks for what a command to an erased aggregate leaves, or may have left behind it. */
function nextRound(
  topic: CommandTopicName,
  aggregate: string,
  command: Command,
  { put = [] }: AnyResult,
): readonly CommandEffect[] {
  // A report on a row that is not removed yet: what it writes may lie before the place that the rounds have reached.
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
