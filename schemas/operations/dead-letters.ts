import { z } from 'zod';
import { type CommandTable, noResult } from '../base/command.ts';
import { deadLetterSchema } from '../base/dead-letter.ts';
import { refusal } from '../base/errors.ts';
import { DAY_MS, epochMsSchema } from '../base/time.ts';

/** The one aggregate of the table `operations`: the key of every record of the topic `dead-letters`. */
export const DEAD_LETTERS = 'dead-letters';

/**
 * Dead letters that wait for an operator. When another one comes, the oldest about the aggregate and reason that have most of them
 * leaves the list; the log has it for its retention.
 */
export const OPEN_LETTERS_KEPT = 500;

/** Open dead letters about the same aggregate with the same reason. The oldest leaves the list when another one comes. */
export const ALIKE_LETTERS_KEPT = 20;

/** Dead letters that an operator has sent again or discarded. The one that was closed first leaves the list. */
export const CLOSED_LETTERS_KEPT = 100;

/** Characters of a record that are kept with its dead letter. A longer one is in the log only, and cannot be sent again. */
export const LETTER_VALUE_CHARACTERS_MAX = 256 * 1_024;

/** The place of a record in the log, after the time of its append: the bytes of two ids compare as these times do. */
export const deadLetterIdSchema = z
  .string()
  .regex(/^\d{15}-[a-z-]{1,40}-\d{1,6}-\d{1,6}-\d{1,16}$/, 'expected the deadLetterId of a list')
  .register(z.globalRegistry, { example: '001757412000000-activate-1-3-42' });

/** Milliseconds after the append of its record at which a dead letter ends, open or closed: as long as topics keep records. */
export const LETTER_KEPT_MS = 14 * DAY_MS;

/** Returns the time of the append of a dead letter's record, by the letter's id. */
export function letterTimeOf(deadLetterId: string): number {
  return Number(deadLetterId.slice(0, deadLetterId.indexOf('-')));
}

/** True if a dead letter has ended, by its id. */
export function hasLetterEnded(deadLetterId: string, now: number): boolean {
  return letterTimeOf(deadLetterId) + LETTER_KEPT_MS <= now;
}

const letterStateSchema = z.enum(['open', 'replayed', 'discarded']);

export const NO_LETTER = refusal('not_found', {
  at: 'path.deadLetterId',
  seen: 'the id of no dead letter',
  expected: 'the id of one in the list',
});

/** Row kind `letter`. */
export const letterDocumentSchema = deadLetterSchema.extend({
  appendedAt: epochMsSchema,
  /** The type of the command, or null if the record is no envelope. */
  type: z.string().nullable(),
  /** The request that the record came from, or null if the record is no envelope. */
  requestId: z.string().nullable(),
  /** Null if it is longer than {@link LETTER_VALUE_CHARACTERS_MAX}. */
  value: z.string().nullable(),
  state: letterStateSchema,
  /** When an operator sent it again or discarded it. */
  closedAt: epochMsSchema.nullable(),
});

export type LetterDocument = z.infer<typeof letterDocumentSchema>;

/** The result of a command of an operator. */
const closedLetterSchema = letterDocumentSchema.omit({ value: true, key: true });

const addressSchema = z.strictObject({ deadLetterId: deadLetterIdSchema });

/** Commands of the topic `dead-letters`. */
export const deadLetterCommands = {
  /** A record could not be handled. */
  'dead-letter': { input: deadLetterSchema, result: noResult },
  /** An operator sends the record again, as it was. */
  replay: { input: addressSchema, result: closedLetterSchema },
  /** An operator has decided that the record is not needed. */
  discard: { input: addressSchema, result: closedLetterSchema },
  /** The letters that have ended are to be removed; `again`: and once more after half of their life. */
  'tidy-letters': { input: z.strictObject({ again: z.boolean() }), result: noResult },
  /** Something was erased that these letters name. */
  'erase-letters': {
    input: z.strictObject({
      deadLetterIds: z
        .array(deadLetterIdSchema)
        .min(1)
        .max(OPEN_LETTERS_KEPT + CLOSED_LETTERS_KEPT),
    }),
    result: noResult,
  },
} as const satisfies CommandTable;

/** Root document of the table `operations`. */
export const lettersRootSchema = z.strictObject({
  /** The ids of open letters, the oldest record first. */
  open: z.array(deadLetterIdSchema),
  /** The ids of closed letters, the one that was closed first before the others. */
  closed: z.array(deadLetterIdSchema),
  /** By the id of an open letter, a digest of its aggregate and reason. Letters of early releases have none. */
  causes: z.record(deadLetterIdSchema, z.string()).default({}),
  /** By that digest, how many letters have left the list although they are open. */
  left: z.record(z.string(), z.int().positive()).default({}),
});

export type LettersRoot = z.infer<typeof lettersRootSchema>;

export const EMPTY_LETTERS: LettersRoot = { open: [], closed: [], causes: {}, left: {} };
