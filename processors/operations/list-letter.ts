import { readEnvelope } from '../../schemas/base/command.ts';
import type { DeadLetter } from '../../schemas/base/dead-letter.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import {
  DEAD_LETTERS,
  hasLetterEnded,
  LETTER_VALUE_CHARACTERS_MAX,
  type LetterDocument,
  type LettersRoot,
} from '../../schemas/operations/dead-letters.ts';
import { handlingGroupOf, TOPIC_NAMES } from '../../topics/catalogue.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { commandTo, DONE_UNREMEMBERED } from '../runtime/fold/results.ts';
import type { LettersFold } from './letters-fold.ts';
import { withOpen, withoutOpen } from './open-letters.ts';

/** Characters of a digest that tell 500 aggregates and reasons apart. */
const CAUSE_CHARACTERS = 16;

/** Digits of a time in an id: enough for every time until the year 33658. */
const TIME_DIGITS = 15;

/**
 * A record could not be handled. A letter that arrives again is the one that is there, unless that one is of another group and
 * this one of the group that handles the topic. Letters of early releases have the keys of their records: they are sent on.
 */
export const listLetter: CommandHandler<LettersFold, 'dead-letter'> = {
  reads: ({ input }) => [{ kind: 'letter', id: letterId(input) }],
  fold({ root, row, input, context }) {
    if (context.aggregate !== DEAD_LETTERS) {
      const letter = { topic: 'dead-letters', key: DEAD_LETTERS, type: 'dead-letter', input } as const;
      return { ...DONE_UNREMEMBERED, effects: [commandTo(letter)] };
    }
    const id = letterId(input);
    const known = row('letter', id);
    if (hasLetterEnded(id, context.now) || (known !== null && !isBeside(known, input)))
      return DONE_UNREMEMBERED;
    const others = (ids: readonly string[]) => ids.filter((each) => each !== id);
    const { root: listed, leaving } = withOpen({ ...root, closed: others(root.closed) }, id, causeOf(input));
    return {
      ...DONE_UNREMEMBERED,
      root: listed,
      put: leaving === id ? [] : [{ kind: 'letter', id, document: openLetter(input) }],
      remove: leaving === null || leaving === id ? [] : [{ kind: 'letter', id: leaving }],
    };
  },
};

/** True if a known letter is of a group beside the one that handles the topic, and the new letter is of that one. */
function isBeside({ group: known }: LetterDocument, { topic: name, group }: DeadLetter): boolean {
  const topic = TOPIC_NAMES.find((each) => each === name);
  const handling = topic === undefined ? undefined : handlingGroupOf(topic);
  return known !== undefined && known !== handling && group === handling;
}

/** Removes the letters that have ended. */
export const tidyLetters: CommandHandler<LettersFold, 'tidy-letters'> = {
  fold: ({ root, context }) => without(root, (id) => hasLetterEnded(id, context.now)),
};

/** Removes letters about what was erased, open or closed. */
export const eraseLetters: CommandHandler<LettersFold, 'erase-letters'> = {
  fold: ({ root, input: { deadLetterIds } }) => without(root, (id) => deadLetterIds.includes(id)),
};

function without(root: LettersRoot, isRemoved: (id: string) => boolean) {
  const isKept = (id: string) => !isRemoved(id);
  const removed = [...root.open, ...root.closed].filter(isRemoved);
  if (removed.length === 0) return DONE_UNREMEMBERED;
  return {
    ...DONE_UNREMEMBERED,
    root: withoutOpen({ ...root, closed: root.closed.filter(isKept) }, isRemoved),
    remove: removed.map((id) => ({ kind: 'letter' as const, id })),
  };
}

/** Names an aggregate and a reason: letters that have both in common are alike. */
function causeOf({ topic, key, reason }: DeadLetter): string {
  return digestOf([topic, key, reason]).slice(0, CAUSE_CHARACTERS);
}

function letterId({ at, appendedAt = at, topic, generation, partition, offset }: DeadLetter): string {
  return [String(appendedAt).padStart(TIME_DIGITS, '0'), topic, generation, partition, offset].join('-');
}

function openLetter(letter: DeadLetter): LetterDocument {
  const envelope = readEnvelope(letter.value);
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
