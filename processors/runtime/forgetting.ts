import { z } from 'zod';
import type { Command } from '../../schemas/base/command.ts';
import { outcomeRowId, RUNTIME_KINDS, type StoredOutcome } from '../../schemas/base/outcome.ts';
import type { CommandTopicName } from '../../topics/catalogue.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { AnyFold, CommandEffect, FoldResult, RowDocuments } from './fold.ts';

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

/** The same fold, which also forgets. */
export function forgetting(fold: AnyFold): AnyFold {
  return {
    ...fold,
    schemas: { ...fold.schemas, [FORGET_OUTCOME]: rememberedOutcomeSchema },
    reads: (command, view) => (isForget(command) ? [namedRow(command)] : fold.reads(command, view)),
    fold(view, command, context) {
      if (!isForget(command)) return fold.fold(view, command, context);
      const row = namedRow(command);
      const stored = view.row(row.kind, row.id) as StoredOutcome | null;
      return stored?.at === command.input.at ? without(row, stored) : NOTHING;
    },
  };
}

type Forget = Command<typeof FORGET_OUTCOME, RememberedOutcome>;

function isForget(command: Command): command is Forget {
  return command.type === FORGET_OUTCOME;
}

function namedRow({ input: { operation, key } }: Forget): RowKey {
  return { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) };
}

const NOTHING: FoldResult<never, RowDocuments> = {
  outcome: { kind: 'done', result: {} },
  remember: false,
  audit: false,
};

function without(row: RowKey, { entity }: StoredOutcome): FoldResult<never, RowDocuments> {
  return { ...NOTHING, erase: [row], forget: entity === null ? [] : [entity] };
}
