import type { Tone } from '../../parts/table/state.tsx';
import type { Counts, SubmissionState } from './queries.ts';

interface ShownState {
  readonly word: string;
  readonly tone: Tone;
  /** Cause and cure, for the tooltip. */
  readonly about: string;
  /** The list of these submissions before there is one. */
  readonly none: string;
}

/** The word, shape and tooltip of each state. */
export const SUBMISSION_STATES: Readonly<Record<SubmissionState, ShownState>> = {
  open: {
    word: 'Open',
    tone: 'info',
    about: 'Not read yet. Mark the message as done when nothing is left to do.',
    none: 'Nothing is open.',
  },
  held: {
    word: 'Held',
    tone: 'warn',
    about: 'A program may have sent this message. Release the message if a person wrote it.',
    none: 'Nothing is held.',
  },
  done: {
    word: 'Done',
    tone: 'ok',
    about: 'An owner or admin marked this message as done.',
    none: 'Nothing is done yet.',
  },
};

/** The states in the order in which they are offered. */
export const LISTED_STATES: readonly SubmissionState[] = ['open', 'held', 'done'];

/** The number of submissions in one state, or in every state (null). */
export function countOf(counts: Counts, state: SubmissionState | null): number {
  return state === null ? counts.open + counts.held + counts.done : counts[state];
}

/** The counts after a submission has moved, or was erased (`to` is null). */
export function recounted(counts: Counts, from: SubmissionState, to: SubmissionState | null): Counts {
  const next = { ...counts, [from]: Math.max(0, counts[from] - 1) };
  return to === null ? next : { ...next, [to]: next[to] + 1 };
}

/** One text for the same counts. */
export function countsKey({ open, held, done }: Counts): string {
  return `${open}/${held}/${done}`;
}
