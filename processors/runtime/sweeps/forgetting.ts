import { z } from 'zod';
import { noResult } from '../../../schemas/base/command.ts';
import { outcomeRowId, RUNTIME_KINDS, type StoredOutcome } from '../../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import { type CommandEffect, defineRuntimeCommands } from '../fold/fold.ts';
import { DONE_UNREMEMBERED } from '../fold/results.ts';

/** Asks an aggregate to forget what a key is remembered with. */
const FORGET_OUTCOME = 'forget-outcome';
export const rememberedOutcomeSchema = z.strictObject({
  operation: z.string(),
  key: z.string(),
  at: z.int(),
});

/** One remembered outcome: `at`, when it was decided, tells it apart from a later one of the same key. */
export type RememberedOutcome = z.infer<typeof rememberedOutcomeSchema>;

/**
 * The command that removes one remembered outcome, and with it what else is remembered for its entity. Harmless to repeat: a
 * key that was used again meanwhile is remembered with another time.
 */
export function forgetOutcome(
  topic: CommandTopicName,
  aggregate: string,
  { operation, key, at }: RememberedOutcome,
): CommandEffect {
  return { kind: 'command', topic, key: aggregate, type: FORGET_OUTCOME, input: { operation, key, at } };
}

const commands = { [FORGET_OUTCOME]: { input: rememberedOutcomeSchema, result: noResult } } as const;

/** Forgets outcomes, in every fold. */
export const forgetting = defineRuntimeCommands(commands, {
  [FORGET_OUTCOME]: {
    reads: ({ input }) => [namedRow(input)],
    fold({ input, row }) {
      const named = namedRow(input);
      const stored = row(named.kind, named.id) as StoredOutcome | null;
      return stored?.at === input.at ? without(named, stored) : NOTHING;
    },
  },
});

function namedRow({ operation, key }: RememberedOutcome): RowKey {
  return { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) };
}

const NOTHING = { ...DONE_UNREMEMBERED, audit: false } as const;

function without(row: RowKey, { entity }: StoredOutcome) {
  return { ...NOTHING, erase: [row], forget: entity === null ? [] : [entity] };
}
