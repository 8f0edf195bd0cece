import { useInfiniteQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { afterDialogs } from '../../parts/dialog.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { count } from '../../parts/numbers.ts';
import { ReadProblem } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { PanelSkeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';
import { useOpened } from '../../parts/use-asked.ts';
import { LetterDialog, nameOf, placeOf } from './letter-dialog.tsx';
import { reasonWords } from './letter-words.ts';
import { type DeadLetter, type LetterState, lettersQuery } from './queries.ts';

const STATES: readonly (readonly [LetterState, string])[] = [
  ['open', 'Open'],
  ['closed', 'Closed'],
];

/** The records that could not be handled: an operator reviews them, and sends them again or discards them. */
export function DeadLetters() {
  const [state, setState] = useState<LetterState>('open');
  const list = useInfiniteQuery(lettersQuery(state));
  const letters = list.data?.pages.flatMap(({ deadLetters }) => deadLetters);
  const open = list.data?.pages[0]?.open ?? 0;
  return (
    <section aria-labelledby="dead-letters">
      <div class="section-head">
        <h2 id="dead-letters" tabIndex={-1}>
          Dead letters
        </h2>
        <p>{letters === undefined ? '' : saidOf(state, open, letters.length)}</p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend on the page. */}
        <div class="segments push" role="group" aria-label="State of dead letters">
          {STATES.map(([each, label]) => (
            <button key={each} type="button" aria-pressed={each === state} onClick={() => setState(each)}>
              {label}
            </button>
          ))}
        </div>
      </div>
      {list.error !== null && !list.isFetchNextPageError && (
        <ReadProblem query={list} title="The dead letters could not be read" />
      )}
      {letters === undefined && list.isPending && <PanelSkeleton />}
      {letters !== undefined && letters.length > 0 && <LettersTable letters={letters} />}
      <LoadMore query={list} />
    </section>
  );
}

function saidOf(state: LetterState, open: number, listed: number): string {
  if (state === 'closed') return listed === 0 ? 'None' : 'Replayed or discarded, newest first';
  if (open === 0) return 'None. A record that cannot be handled comes here, and its partition continues.';
  return `${count(open)} open; each partition continued without its record`;
}

function LettersTable({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const [shown, show] = useOpened<DeadLetter>();
  const [isAsked, ask] = useOpened<true>();
  const close = useClosing(() => {
    ask(null);
    show(null);
    // The row with the button that had the focus goes away.
    afterDialogs(() => document.getElementById('dead-letters')?.focus());
  });
  return (
    <>
      <Table
        label="Dead letters table"
        class="letters-list"
        columns={[
          'Record',
          'Reason',
          ['Request', 'hide-narrow'],
          'Set aside',
          { hidden: 'Actions', class: 'end' },
        ]}
      >
        <Rows>
          {letters.map((letter) => (
            <LetterRow key={letter.deadLetterId} letter={letter} onShow={() => show(letter)} />
          ))}
        </Rows>
      </Table>
      {shown !== null && (
        <LetterDialog
          letter={shown}
          isPending={close.isPending}
          error={isAsked ? null : close.error}
          onReplay={() => close.mutate({ letter: shown, verb: 'replay' })}
          onDiscard={() => {
            close.reset();
            ask(true);
          }}
          onClose={() => {
            close.reset();
            show(null);
          }}
        />
      )}
      {shown !== null && isAsked && (
        <ConfirmDialog
          title="Discard the dead letter"
          hint="Its record will never be handled. This cannot be undone."
          verb="Discard"
          isPending={close.isPending}
          error={close.error}
          onConfirm={() => close.mutate({ letter: shown, verb: 'discard' })}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}

interface Closing {
  readonly letter: DeadLetter;
  readonly verb: 'replay' | 'discard';
}

function useClosing(onClosed: () => void) {
  const queries = useQueryClient();
  return useChange({
    send: ({ letter: { deadLetterId }, verb }: Closing) => {
      const path = `/v1/ops/dead-letters/{deadLetterId}/${verb}` as const;
      return answer(api.POST(path, { params: { path: { deadLetterId } } }));
    },
    onSuccess: (_letter, { verb }) => {
      onClosed();
      toast(verb === 'replay' ? 'The record was sent again' : 'The dead letter was discarded');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
}

function LetterRow({ letter, onShow }: { readonly letter: DeadLetter; readonly onShow: () => void }) {
  const { requestId, state, closedAt } = letter;
  return (
    <tr>
      <th scope="row">
        <code>{nameOf(letter)}</code>
        <span class="sub num">{placeOf(letter)}</span>
      </th>
      <td class="wrap">{reasonWords(letter.reason)}</td>
      <td class="hide-narrow">
        {requestId === null ? (
          <span class="muted">unknown</span>
        ) : (
          <Identifier value={requestId} name="request id" />
        )}
      </td>
      <td>
        <RelativeTime at={letter.at} />
        {closedAt !== null && (
          <span class="sub">
            <State tone="idle">{state === 'replayed' ? 'Sent again' : 'Discarded'}</State>
          </span>
        )}
      </td>
      <td class="end">
        <button type="button" class="btn quiet small" data-open="" onClick={onShow}>
          {closedAt === null ? 'Review' : 'Show'}
          <span class="vh">
            {' '}
            {nameOf(letter)} {placeOf(letter)}
          </span>
        </button>
      </td>
    </tr>
  );
}
