import { type Envelope, type InputTable, parseCommand, readEnvelope } from '../../schemas/base/command.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import {
  CLOSED_LETTERS_KEPT,
  hasLetterEnded,
  type LetterDocument,
  NO_LETTER,
} from '../../schemas/operations/dead-letters.ts';
import { isSweepOf, TOPIC_NAMES, TOPICS, type TopicName } from '../../topics/catalogue.ts';
import { reasonOf } from '../runtime/dead-letters.ts';
import type { CommandHandler, Effect, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import { RUNTIME_COMMANDS } from '../runtime/fold/runtime-fold.ts';
import type { LettersFold } from './letters-fold.ts';
import { withoutOpen } from './open-letters.ts';

type Closing = 'replay' | 'discard';

/**
 * Sends the record of a dead letter again, as it was. Its key is that of the first attempt, so that a command with a client's
 * key, which the client has repeated since then, happens once. A record that would only fail again is refused, with the reason.
 */
export const replayLetter: CommandHandler<LettersFold, 'replay'> = {
  reads: ({ input }) => [{ kind: 'letter', id: input.deadLetterId }],
  fold(scope) {
    return close(scope, 'replayed', (letter) => {
      const found = recordOf(letter);
      return 'refused' in found ? found : { effects: [{ kind: 'record', ...found, key: letter.key }] };
    });
  },
};

/** Discards a dead letter: nothing is sent. */
export const discardLetter: CommandHandler<LettersFold, 'discard'> = {
  reads: ({ input }) => [{ kind: 'letter', id: input.deadLetterId }],
  fold: (scope) => close(scope, 'discarded', () => ({ effects: [] })),
};

function close(
  { root, row, input, context }: Scope<LettersFold, Closing>,
  state: 'replayed' | 'discarded',
  effectsOf: (letter: LetterDocument) => { readonly effects: Effect[] } | { readonly refused: Refusal },
): FoldResult<LettersFold, Closing> {
  const { deadLetterId: id } = input;
  const letter = row('letter', id);
  if (letter === null || hasLetterEnded(id, context.now)) return refused(NO_LETTER);
  if (letter.state !== 'open') {
    if (letter.state === state)
      return { outcome: { kind: 'done', result: shown(letter) }, audit: false, remember: false };
    return refused(
      refusal('state_conflict', {
        at: 'service.deadLetter',
        seen: `one that was ${letter.state}`,
        expected: 'an open one',
      }),
    );
  }
  const decided = effectsOf(letter);
  if ('refused' in decided) return refused(decided.refused);
  const document: LetterDocument = { ...letter, state, closedAt: context.now };
  const closed = [...root.closed, id];
  return {
    outcome: { kind: 'done', result: shown(document) },
    root: withoutOpen({ ...root, closed: closed.slice(-CLOSED_LETTERS_KEPT) }, (each) => each === id),
    put: [{ kind: 'letter', id, document }],
    remove: closed.slice(0, -CLOSED_LETTERS_KEPT).map((each) => ({ kind: 'letter', id: each })),
    effects: decided.effects,
    audit: { topic: letter.topic, partition: letter.partition, offset: letter.offset },
    remember: false,
  };
}

function shown({ value: _value, key: _key, ...letter }: LetterDocument) {
  return letter;
}

/** Returns what is to be appended for a letter, or why that would be of no use. */
function recordOf({
  topic: name,
  group,
  value,
}: LetterDocument):
  | { readonly topic: TopicName; readonly envelope: Envelope }
  | { readonly refused: Refusal } {
  const topic = TOPIC_NAMES.find((each) => each === name);
  if (topic === undefined) return cannotBeSent('a topic that this version does not have');
  // A group of another name is the processor of another release: its record is sent, and happens once by its key.
  if (group !== undefined && isSweepOf(topic, group))
    return cannotBeSent(
      `a record that only the sweep ${group} has passed over; its processor has handled it`,
    );
  if (value === null) return cannotBeSent('a record that is too long to be kept');
  try {
    parseCommand(commandsOf(topic), value);
    const envelope = readEnvelope(value);
    if (envelope === null) return cannotBeSent('a record without an envelope');
    // The client that waited has its answer, and what an operator sends is never too late.
    return { topic, envelope: { ...envelope, replyTo: null, notAfter: null } };
  } catch (error) {
    return cannotBeSent(`a record that cannot be read (${reasonOf(error).replaceAll(',', ';')})`);
  }
}

/** The records of a topic that its handling group knows. */
function commandsOf(name: TopicName): InputTable {
  const { kind, records } = TOPICS[name];
  return kind === 'commands' ? { ...records, ...RUNTIME_COMMANDS } : records;
}

function cannotBeSent(seen: string): { readonly refused: Refusal } {
  return {
    refused: refusal('state_conflict', {
      at: 'service.deadLetter',
      seen,
      expected: 'one that a processor can handle; discard it',
    }),
  };
}
