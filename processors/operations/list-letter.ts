import { envelopeSchema } from '../../schemas/base/command.ts';
import type { DeadLetter } from '../../schemas/base/dead-letter.ts';
import {
  LETTER_VALUE_CHARACTERS_MAX,
  type LetterDocument,
  OPEN_LETTERS_KEPT,
} from '../../schemas/operations/dead-letters.ts';
import type { CommandHandler } from '../runtime/fold.ts';
import { DONE_UNREMEMBERED } from '../runtime/results.ts';
import type { LettersFold } from './letters-fold.ts';

/** Digits of a time in an id: enough for every time until the year 33658. */
const TIME_DIGITS = 15;

/** A record could not be handled. A letter that arrives again is the one that is there. */
export const listLetter: CommandHandler<LettersFold, 'dead-letter'> = {
  reads: ({ input }) => [{ kind: 'letter', id: letterId(input) }],
  fold({ root, row, input }) {
    const id = letterId(input);
    if (row('letter', id) !== null) return DONE_UNREMEMBERED;
    const open = [...root.open, id].sort();
    const left = open.slice(0, -OPEN_LETTERS_KEPT);
    return {
      ...DONE_UNREMEMBERED,
      root: { ...root, open: open.slice(-OPEN_LETTERS_KEPT) },
      put: left.includes(id) ? [] : [{ kind: 'letter', id, document: openLetter(input) }],
      remove: left.filter((each) => each !== id).map((each) => ({ kind: 'letter', id: each })),
    };
  },
};

function letterId({ at, appendedAt = at, topic, generation, partition, offset }: DeadLetter): string {
  return [String(appendedAt).padStart(TIME_DIGITS, '0'), topic, generation, partition, offset].join('-');
}

function openLetter(letter: DeadLetter): LetterDocument {
  const envelope = envelopeIn(letter.value);
  return {
    ...letter,
    appendedAt: letter.appendedAt ?? letter.at,
    type: envelope?.type ?? null,
    requestId: envelope?.requestId ?? null,
    value: letter.value.length > LETTER_VALUE_CHARACTERS_MAX ? null : letter.value,
    state: 'open',
    closedAt: null,
  };
}

function envelopeIn(value: string) {
  try {
    return envelopeSchema.parse(JSON.parse(value));
  } catch {
    return null;
  }
}
