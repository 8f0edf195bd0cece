import type { EraseItem } from '../../schemas/base/erasure.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold, CommandEffect } from './fold.ts';

/**
 * Asks for the next rows of an erased aggregate. A fold asks for it when it marks the root as erased; from then on the
 * runtime does, until none are left.
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

/**
 * The same fold, which leaves nothing in an aggregate that was erased (design rule 2). Commands still come to one: from
 * workers that were at it, from clients that ask again, and every follow-up once more whose sender ended before it knew
 * that it was sent. Each is refused as before, now and later, so none has to be remembered: what a refusal gives back is
 * given back once, however often it is told. The ring keeps the answer of whoever waits, until the next rows are removed.
 */
export function leavingNothing(fold: AnyFold): AnyFold {
  return {
    ...fold,
    fold(view, command, context) {
      const result = fold.fold(view, command, context);
      if (view.root === null || fold.isErased?.(view.root) !== true) return result;
      const mayLeaveRows = result.erase !== undefined || command.replyTo !== null;
      const next = mayLeaveRows ? [eraseMore(fold.topic, context.aggregate)] : [];
      return { ...result, remember: false, effects: [...(result.effects ?? []), ...next] };
    },
  };
}
