import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/use-change.ts';
import { announce } from '../../parts/announce.tsx';
import { counted } from '../../parts/numbers.ts';
import { toast } from '../../parts/toast.tsx';
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

interface ClosingsOptions {
  readonly onClosed: (deadLetterId: string) => void;
  /** Called once every letter is closed. */
  readonly onAllClosed: () => void;
}

/**
 * A hook: closes several dead letters, one after the other. A refusal that is about one letter leaves that one open; one that
 * the next letter would meet too ends the closing. Either way the letters that stay open can be sent once more.
 */
export function useClosings({ onClosed, onAllClosed }: ClosingsOptions) {
  const queries = useQueryClient();
  const [results, setResults] = useState<ClosingResults>(new Map());
  const change = useChange({
    send: async ({ letters, verb }: Closings) => {
      const found = new Map(results);
      for (const letter of letters.filter(({ deadLetterId }) => found.get(deadLetterId) !== 'closed')) {
        const result = await closeLetter(letter, verb).then(() => 'closed' as const, problemOf);
        found.set(letter.deadLetterId, result);
        setResults(new Map(found));
        if (result === 'closed') onClosed(letter.deadLetterId);
        else if (result.isRetriable) break;
      }
      return [...found.values()].filter((result) => result === 'closed').length;
    },
    onSuccess: (closed, { letters, verb }) => {
      const left = letters.length - closed;
      const done = `${counted(closed, 'record was', 'records were')} ${verb === 'replay' ? 'sent again' : 'discarded'}`;
      if (left > 0) announce(`${done}, ${left} stayed open`);
      else {
        onAllClosed();
        toast(done);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
  const forget = () => setResults(new Map());
  return { close: change.mutate, isPending: change.isPending, results, forget };
}

function closeLetter({ deadLetterId }: DeadLetter, verb: Verb): Promise<DeadLetter> {
  const path = `/v1/ops/dead-letters/{deadLetterId}/${verb}` as const;
  return answer(api.POST(path, { params: { path: { deadLetterId } } }));
}
