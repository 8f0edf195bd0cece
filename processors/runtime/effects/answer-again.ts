import { z } from 'zod';
import { refusal } from '../../../schemas/base/errors.ts';
import { jsonObjectSchema } from '../../../schemas/base/json.ts';
import {
  type Outcome,
  type OutcomePlace,
  outcomeRowId,
  RUNTIME_KINDS,
  type StoredOutcome,
} from '../../../schemas/base/outcome.ts';
import { topicOfTable } from '../../../topics/catalogue.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import {
  type CommandEffect,
  defineRuntimeCommands,
  type FoldResult,
  type RuntimeTypes,
} from '../fold/fold.ts';

/** The command that makes an aggregate publish its stored answer to a follow-up again. */
const ANSWER_AGAIN = 'answer-again';
const inputSchema = z.strictObject({ operation: z.string(), key: z.string() });

/**
 * Creates the command that answers a repeat for which a follow-up to another aggregate has decided
 * (infra/docs/decisions/0009-follow-ups-with-reservation.md). Reading the outcome alone is not enough: its effects
 * may be pending since a processor ended, until the aggregate is loaded (ARCHITECTURE.md, rule 6).
 */
export function answerAgainCommand({ table, aggregate, operation, key }: OutcomePlace): CommandEffect {
  const topic = topicOfTable(table);
  if (topic === null) throw new Error(`asking for an outcome in the unknown table ${table}`);
  return {
    kind: 'command',
    topic,
    key: aggregate,
    type: ANSWER_AGAIN,
    input: { operation, key },
    answers: true,
  };
}

const commands = { [ANSWER_AGAIN]: { input: inputSchema, result: jsonObjectSchema } } as const;

/** The handler of the command, for every fold. */
export const answerAgain = defineRuntimeCommands(commands, {
  [ANSWER_AGAIN]: {
    reads: ({ input }) => [outcomeRowOf(input)],
    fold(scope) {
      const { kind, id } = outcomeRowOf(scope.input);
      return answerOf(scope.row(kind, id) as StoredOutcome | null);
    },
  },
});

function outcomeRowOf({ operation, key }: z.infer<typeof inputSchema>): RowKey {
  return { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key) };
}

/** A refusal is not remembered: the client has to send the request again, which is then decided again. */
function answerOf(stored: StoredOutcome | null): FoldResult<RuntimeTypes<typeof commands>> {
  const outcome: Outcome = stored?.outcome ?? { kind: 'refused', refusal: NOT_REMEMBERED };
  const effects = outcome.kind === 'deferred' ? [answerAgainCommand(outcome.at)] : [];
  return { outcome, effects, remember: false, audit: false };
}

const NOT_REMEMBERED = refusal('unavailable', 'The outcome is not known. Send the same request again.', 1);
