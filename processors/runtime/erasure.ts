import type { EraseItem } from '../../schemas/base/erasure.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { CommandEffect } from './fold.ts';

/**
 * Asks for the next rows of an erased aggregate. A fold asks for it when it marks the root as erased, and again with every
 * `erase-rows` that it folds, until none are left.
 */
export function eraseMore(topic: CommandTopicName, aggregate: string): CommandEffect {
  const input: EraseItem = { topic, aggregate };
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
