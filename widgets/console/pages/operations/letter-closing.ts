import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/use-change.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { signal } from '../../parts/loading/signal.ts';
import { count, counted } from '../../parts/table/numbers.ts';
import type { DeadLetter } from './queries.ts';

export type Verb = 'replay' | 'discard';

interface Closing {
  readonly letter: DeadLetter;
  readonly verb: Verb;
}

/** A hook: closes one dead letter. */
export function useClosing(onClosed: () => void) {
  const queries = useQueryClient();
  return useChange({
    send: ({ letter, verb }: Closing) => closeLetter(letter, verb),
    afterLoss: 'repeat',
    onSuccess: (_letter, { verb }) => {
      onClosed();
      toast(verb === 'replay' ? 'The record was sent again' : 'The dead letter was discarded');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
}

/** The letters that are closed together, and what to do with them. */
export interface Closings {
  readonly letters: readonly DeadLetter[];
  readonly verb: Verb;
}

/** The answer for one letter: `closed`, or the reason for which it stays open. Those that were not sent yet have none. */
export type ClosingResults = ReadonlyMap<string, 'closed' | Problem>;

/** Letters that are closed together, with what is known of each. */
export interface Batch extends Closings {
  readonly results: ClosingResults;
  readonly isRunning: boolean;
}

/** The latest batch. It outlasts its dialog, which Back closes, and the page: what was begun continues. */
const latest = signal<Batch | null>(null);

/**
 * A hook: closes several dead letters, one after the other. A refusal that is about one letter leaves that one open; one that
 * the next letter would meet too ends the closing. Either way the letters that stay open can be sent once more.
 */
export function useBatch() {
  const queries = useQueryClient();
  const change = useChange({
    send: async ({ letters, verb }: Closings) => {
      const found = new Map(latest.get()?.results);
      const note = (isRunning: boolean) => latest.set({ letters, verb, results: new Map(found), isRunning });
      note(true);
      for (const letter of letters.filter(({ deadLetterId }) => found.get(deadLetterId) !== 'closed')) {
        const result = await closeLetter(letter, verb).then(() => 'closed' as const, problemOf);
        found.set(letter.deadLetterId, result);
        note(true);
        if (result !== 'closed' && result.isRetriable) break;
      }
      note(false);
      toast(endOf({ letters, verb, results: found }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
  return {
    batch: latest.use(),
    /** Takes these letters for the next batch, once the one before has ended. */
    prepare: (closings: Closings) => latest.set({ ...closings, results: new Map(), isRunning: false }),
    run: ({ letters, verb }: Closings) => change.mutate({ letters, verb }),
    forget: () => latest.set(null),
  };
}

/** The letters of a batch that are not closed. */
export function openOf({ letters, results }: Pick<Batch, 'letters' | 'results'>): readonly DeadLetter[] {
  return letters.filter(({ deadLetterId }) => results.get(deadLetterId) !== 'closed');
}

/** Returns the end of a batch in words: "2 records were sent again, 1 stayed open". */
export function endOf({ letters, verb, results }: Omit<Batch, 'isRunning'>): string {
  const left = openOf({ letters, results }).length;
  const done = `${counted(letters.length - left, 'record was', 'records were')} ${verb === 'replay' ? 'sent again' : 'discarded'}`;
  return left === 0 ? done : `${done}, ${count(left)} stayed open`;
}

function closeLetter({ deadLetterId }: DeadLetter, verb: Verb): Promise<DeadLetter> {
  const path = `/v1/ops/dead-letters/{deadLetterId}/${verb}` as const;
  return answer(api.POST(path, { params: { path: { deadLetterId } } }));
}
