import { useInfiniteQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { afterDialogs } from '../../parts/form/dialog.tsx';
import { useOpened } from '../../parts/form/use-asked.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { BatchNotice, CHOSEN_MAX, ChosenBar, ChosenDialog } from './chosen-letters.tsx';
import { type Closings, openOf, useBatch, useClosing, type Verb } from './letter-closing.ts';
import { LetterDialog, nameOf, placeOf } from './letter-dialog.tsx';
import { reasonWords } from './letter-words.ts';
import { type DeadLetter, type LetterState, lettersQuery } from './queries.ts';

const STATES: readonly (readonly [LetterState, string])[] = [
  ['open', 'Open'],
  ['closed', 'Closed'],
];

/** `?letters=closed`: the records that could not be handled. An operator sends them again or discards them. */
export function DeadLetters() {
  const [params] = useSearchParams();
  const state: LetterState = params.get('letters') === 'closed' ? 'closed' : 'open';
  const list = useInfiniteQuery(lettersQuery(state));
  const letters = list.data?.pages.flatMap(({ deadLetters }) => deadLetters);
  const open = list.data?.pages[0]?.open ?? 0;
  const several = useSeveral();
  return (
    <section aria-labelledby="dead-letters">
      <div class="section-head">
        <h2 id="dead-letters" tabIndex={-1}>
          Dead letters
        </h2>
        <p>{letters === undefined ? '' : saidOf(state, open, letters.length)}</p>
        {/* biome-ignore lint/a11y/useSemanticElements: these are links to lists, no fields of a form. */}
        <div class="segments push" role="group" aria-label="State of dead letters">
          {STATES.map(([each, label]) => (
            <PageLink key={each} to={addressOf(params, each)} isCurrent={each === state}>
              {label}
            </PageLink>
          ))}
        </div>
      </div>
      {list.error !== null && !list.isFetchNextPageError && (
        <ReadProblem query={list} title="The dead letters could not be read" />
      )}
      {several.notice}
      {letters === undefined && list.isPending && <PanelSkeleton />}
      {letters !== undefined && letters.length > 0 && (
        <LettersTable letters={letters} isOpen={state === 'open'} several={several} />
      )}
      <UnreadableEntries entries={unreadableIn(list.data?.pages)} />
      <LoadMore query={list} />
      {several.dialog}
    </section>
  );
}

function addressOf(params: URLSearchParams, state: LetterState): string {
  const next = new URLSearchParams(params);
  if (state === 'open') next.delete('letters');
  else next.set('letters', state);
  return next.size === 0 ? '/ops' : `/ops?${next}`;
}

function saidOf(state: LetterState, open: number, listed: number): string {
  if (state === 'closed') return listed === 0 ? 'None' : 'Replayed or discarded, newest first';
  if (open === 0) return 'None. A record that cannot be handled comes here, and its partition continues.';
  return `${count(open)} open; each partition continued without its record`;
}

interface LettersTableProps {
  readonly letters: readonly DeadLetter[];
  /** True for the open ones, of which several can be closed at once. */
  readonly isOpen: boolean;
  readonly several: Several;
}

function LettersTable({ letters, isOpen, several }: LettersTableProps) {
  const [shown, show] = useOpened<DeadLetter>();
  const [choice, setChoice] = useState<ReadonlySet<string>>(new Set());
  const chosen = letters.filter(
    ({ deadLetterId }) => choice.has(deadLetterId) && !several.isClosed(deadLetterId),
  );
  const choose = (deadLetterId: string, isChosen: boolean) => {
    const next = new Set(chosen.map((letter) => letter.deadLetterId));
    if (!isChosen) next.delete(deadLetterId);
    else if (next.size < CHOSEN_MAX) next.add(deadLetterId);
    setChoice(next);
  };
  return (
    <>
      {isOpen && letters.length > 1 && (
        <ChosenBar
          listed={letters.length}
          chosen={chosen.length}
          onChooseAll={() =>
            setChoice(new Set(letters.slice(0, CHOSEN_MAX).map(({ deadLetterId }) => deadLetterId)))
          }
          onChooseNone={() => setChoice(new Set())}
          isBusy={several.isRunning}
          onAct={(verb) => several.ask({ letters: chosen, verb })}
        />
      )}
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
            <LetterRow
              key={letter.deadLetterId}
              letter={letter}
              isChosen={isOpen && letters.length > 1 ? choice.has(letter.deadLetterId) : null}
              onChoose={(isChosen) => choose(letter.deadLetterId, isChosen)}
              onShow={() => show(letter)}
            />
          ))}
        </Rows>
      </Table>
      {shown !== null && <ShownLetter letter={shown} onClose={() => show(null)} />}
    </>
  );
}

/** Several letters that are closed at once, and where the page shows that. */
interface Several {
  readonly dialog: ComponentChildren;
  /** The progress and the end of the batch, while the dialog is closed. */
  readonly notice: ComponentChildren;
  readonly isRunning: boolean;
  readonly isClosed: (deadLetterId: string) => boolean;
  readonly ask: (closings: Closings) => void;
}

/** A hook: the question whether several letters are closed, and their results. */
function useSeveral(): Several {
  const [isShown, show] = useOpened<true>();
  const { batch, prepare, run, forget } = useBatch();
  const isBegun = batch !== null && batch.results.size > 0;
  const isDone = isBegun && !batch.isRunning && openOf(batch).length === 0;
  useEffect(() => {
    if (!isDone || isShown === null) return;
    show(null);
    forget();
    focusHeading();
  }, [isDone]);
  return {
    dialog: batch !== null && isShown !== null && (
      <ChosenDialog batch={batch} onConfirm={() => run(batch)} onClose={() => show(null)} />
    ),
    notice: batch !== null && isShown === null && (isBegun || batch.isRunning) && (
      <BatchNotice batch={batch} onShow={() => show(true)} onHide={forget} />
    ),
    isRunning: batch?.isRunning ?? false,
    isClosed: (deadLetterId) => batch?.results.get(deadLetterId) === 'closed',
    ask: (closings) => {
      prepare(closings);
      show(true);
    },
  };
}

/** The row with the button that had the focus goes away. */
function focusHeading(): void {
  afterDialogs(() => document.getElementById('dead-letters')?.focus());
}

/** One letter, and the question before it is discarded. */
function ShownLetter({ letter, onClose }: { readonly letter: DeadLetter; readonly onClose: () => void }) {
  const [isAsked, ask] = useOpened<true>();
  const closing = useClosing(() => {
    ask(null);
    onClose();
    focusHeading();
  });
  const close = (verb: Verb) => closing.mutate({ letter, verb });
  return (
    <>
      <LetterDialog
        letter={letter}
        isPending={closing.isPending}
        error={isAsked ? null : closing.error}
        onReplay={() => close('replay')}
        onDiscard={() => {
          closing.reset();
          ask(true);
        }}
        onClose={onClose}
      />
      {isAsked && (
        <ConfirmDialog
          title="Discard the dead letter"
          hint="Its record will never be handled. This cannot be undone."
          verb="Discard"
          isPending={closing.isPending}
          error={closing.error}
          onConfirm={() => close('discard')}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}

interface LetterRowProps {
  readonly letter: DeadLetter;
  /** Null: it cannot be chosen. */
  readonly isChosen: boolean | null;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onShow: () => void;
}

function LetterRow({ letter, isChosen, onChoose, onShow }: LetterRowProps) {
  const { requestId, state, closedAt } = letter;
  return (
    <tr>
      <th scope="row">
        <LetterName letter={letter} isChosen={isChosen} onChoose={onChoose} />
      </th>
      <td class="wrap">
        {reasonWords(letter.reason)}
        {letter.notListed > 0 && <span class="sub">The log has {letter.notListed} more like this one.</span>}
      </td>
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

/** The record of a row, as the label of its choice where it has one. */
function LetterName({ letter, isChosen, onChoose }: Omit<LetterRowProps, 'onShow'>) {
  const name = (
    <span>
      <code>{nameOf(letter)}</code>
      <span class="sub num">{placeOf(letter)}</span>
    </span>
  );
  if (isChosen === null) return name;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      {name}
    </label>
  );
}
