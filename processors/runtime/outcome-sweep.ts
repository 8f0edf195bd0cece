// Reads: the outcomes of commands that a client gave a key. Writes: nothing; it says which of them are to be forgotten.
import type { Command, InputTable } from '../../schemas/base/command.ts';
import { outcomeRowId, RUNTIME_KINDS, storedOutcomeSchema } from '../../schemas/base/outcome.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { type CommandTopicName, TOPICS } from '../../topics/catalogue.ts';
import type { Store } from '../../topics/ports/store.ts';
import { forgetOutcome } from './forgetting.ts';
import type { Sweep } from './sweeper.ts';

/** Minimum time for which an idempotency key is remembered if no erasure ends it earlier. */
export const OUTCOME_KEPT_MS = 2 * DAY_MS;

/** The commands of a topic whose outcomes no erasure takes along. */
export interface PassingOutcomes<Table extends InputTable> {
  readonly topic: CommandTopicName;
  readonly commands: Table;
  readonly types: readonly (keyof Table & string)[];
  /** The longest life of what these commands make, in milliseconds; a key is remembered as long. */
  readonly lifeMs: number;
  /** True for an entity that ends by itself and is never erased. Absent: none is. */
  isPassing?(entity: string): boolean;
}

/**
 * Forgets what keys of clients are remembered with once their time is over. Only what is stored then is asked for: nothing
 * is sent for refusals, for outcomes with an entity that will be erased, or for aggregates that were erased.
 *
 * Outcomes of follow-ups are left to `follow-up-sweep.ts`: their senders may send them again at any time, and must confirm first
 * that they will not.
 */
export function outcomeSweep<Table extends InputTable>(
  { topic, commands, types, lifeMs, isPassing }: PassingOutcomes<Table>,
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
      const { entity, at } = storedOutcomeSchema.parse(found.document);
      const isOver = entity === null || isPassing?.(entity) === true;
      return isOver ? [forgetOutcome(topic, aggregate, { operation, key, at })] : [];
    },
  };
}
