// Reads: the outcomes of commands with a client's key. Writes: nothing; returns the commands that forget them.

import type { Command, InputTable } from '../../../schemas/base/command.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import { type CommandTopicName, TOPICS } from '../../../topics/catalogue.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { forgetOutcome } from './forgetting.ts';
import type { Sweep } from './sweeper.ts';

/** Minimum time for which an idempotency key is remembered if no erasure ends it earlier. */
export const OUTCOME_KEPT_MS = 2 * DAY_MS;

/** The commands of a topic whose outcomes no erasure takes along. */
export interface TransientOutcomes<Table extends InputTable> {
  readonly topic: CommandTopicName;
  readonly commands: Table;
  readonly types: readonly (keyof Table & string)[];
  /** The longest life of what these commands make, in milliseconds; a key is remembered as long. */
  readonly lifeMs: number;
  /** True for an entity that ends by itself and is never erased. Absent: none is. */
  isTransient?(entity: string): boolean;
}

/**
 * Forgets outcomes under clients' keys once their time is over. It sends commands only for outcomes that are still
 * stored: none for refusals, for outcomes of an entity that will be erased, or for erased aggregates.
 * `follow-up-sweep.ts` handles outcomes of follow-ups, whose senders must first confirm that they will not send them
 * again.
 */
export function outcomeSweep<Table extends InputTable>(
  { topic, commands, types, lifeMs, isTransient }: TransientOutcomes<Table>,
  { store }: { readonly store: Pick<Store, 'read'> },
): Sweep<InputTable> {
  const { table } = TOPICS[topic];
  return {
    topic,
    commands,
    name: 'outcomes',
    types,
    delayMs: Math.max(OUTCOME_KEPT_MS, lifeMs),
    async due(command, aggregate) {
      const { operation, key, keyFrom }: Command = command;
      if (keyFrom !== 'client') return [];
      const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) };
      const { rows } = await store.read({ table, id: aggregate }, [row]);
      const found = rows[0];
      if (found === undefined) return [];
      const { entity, at } = readStored(storedOutcomeSchema, found.document);
      const isOver = entity === null || isTransient?.(entity) === true;
      return isOver ? [forgetOutcome(topic, aggregate, { operation, key, at })] : [];
    },
  };
}
