import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { changeOpened, useOpened } from '../../parts/form/use-asked.ts';
import { toast, toastUndoable, type UndoableAct } from '../../parts/frame/toast.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { type Move, useEraseSubmission, useMove } from './inbox-changes.ts';
import { neighbour } from './inbox-pages.ts';
import type { Submission, SubmissionState, Widget } from './queries.ts';
import type { InboxList } from './use-inbox.ts';
import { viewOf, withView } from './view.ts';

/** The words of one and of several submissions that got a state. */
const MOVED: Readonly<Record<SubmissionState, readonly [one: string, several: string]>> = {
  open: ['is open', 'are open'],
  held: ['held', 'held'],
  done: ['marked as done', 'marked as done'],
};

/** The text of moves that were made one after the other. */
function textOf(run: readonly UndoableAct[]): string {
  const [first, other] = new Set(run.map(({ what }) => what as SubmissionState));
  const [one, several] = first === undefined || other !== undefined ? ['moved', 'moved'] : MOVED[first];
  return run.length === 1 ? `Submission ${one}` : `${counted(run.length, 'submission')} ${several}`;
}

/** The decisions of a person about one submission after the other. `inbox`: the section with the rows, where the focus continues. */
export function useDecisions(
  workspaceId: string,
  { widgetId }: Widget,
  { submissions = [], onOwnChange }: InboxList,
  inbox: RefObject<HTMLElement>,
) {
  const [params, setParams] = useSearchParams();
  const [erasing, setErasing] = useOpened<Submission>();
  const focusOn = useFocus(inbox);
  const move = useMove({ workspaceId, widgetId }, onOwnChange);
  const erase = useEraseSubmission({ workspaceId, widgetId }, onOwnChange);
  const open = (submissionId: string | null) =>
    changeOpened(
      { name: 'submission', before: viewOf(params).submissionId, after: submissionId },
      (options) => setParams(withView(params, { submission: submissionId }), options),
    );
  /** Continues with the submission behind one that leaves the list. */
  const leave = ({ submissionId }: Submission) => {
    const next = neighbour(submissions, submissionId);
    focusOn(next);
    open(next);
  };
  /** Undoes a move, and leads to its message if the list shows it. */
  const moveBack = async (change: Move) => {
    await move.mutateAsync(change);
    const { state } = viewOf(new URLSearchParams(location.search));
    if (state === null || state === change.to) focusOn(change.submission.submissionId);
  };
  const moveTo = (change: Move) => {
    if (move.isPending) return;
    const { submission, to } = change;
    const address = location.href;
    move.mutate(change, {
      onSuccess: () => {
        // A person who has gone on meanwhile stays there.
        if (location.href === address && viewOf(params).state !== null) leave(submission);
        const undo = () => moveBack({ submission: { ...submission, state: to }, to: submission.state });
        toastUndoable({ kind: 'feedback', what: to, undo }, textOf);
      },
    });
  };
  const eraseIt = (submission: Submission) =>
    erase.mutate(submission, {
      onSuccess: () => {
        setErasing(null);
        leave(submission);
        toast('Submission erased');
      },
    });
  return { open, move, moveTo, erase, eraseIt, erasing, setErasing };
}

/** Moves the focus to a row, or to the heading (null), once the page is drawn again: the row that had it may be gone. */
function useFocus(inbox: RefObject<HTMLElement>): (submissionId: string | null) => void {
  const wanted = useRef<string | null | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = inbox.current?.querySelector<HTMLElement>(`tr[data-submission="${wanted.current}"]`) ?? null;
    if (row === null && wanted.current !== null) return;
    wanted.current = undefined;
    if (row === null) {
      inbox.current?.querySelector<HTMLElement>('h2')?.focus();
      return;
    }
    // One row of a table is in the tab order.
    for (const each of row.parentElement?.children ?? []) (each as HTMLElement).tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  });
  return (submissionId) => {
    wanted.current = submissionId;
  };
}
