import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { usePlanLimit } from '../../api/capabilities.ts';
import type { Schemas } from '../../api/interface.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { useShortcuts } from '../../parts/frame/shortcuts.ts';
import { Empty } from '../../parts/loading/empty.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { InboxTable } from './inbox-table.tsx';
import { MoveProblem } from './move-problem.tsx';
import type { SubmissionState, Widget } from './queries.ts';
import { countOf, LISTED_STATES, SUBMISSION_STATES } from './submission-state.ts';
import { useDecisions } from './use-decisions.ts';
import { useInbox } from './use-inbox.ts';
import { stateParam, viewOf, withView } from './view.ts';

interface InboxProps {
  readonly workspace: Schemas['Workspace'];
  readonly widget: Widget;
}

/** The submissions of one widget. One submission is open at a time; the address names it. */
export function Inbox({ workspace, widget }: InboxProps) {
  const { workspaceId } = workspace;
  const [params] = useSearchParams();
  const { state, submissionId } = viewOf(params);
  const section = useRef<HTMLElement>(null);
  const inbox = useInbox({ workspaceId, widgetId: widget.widgetId, state }, widget.counts, submissionId);
  const decisions = useDecisions(workspaceId, widget, inbox, section);
  const unreadable = unreadableIn(inbox.list.data?.pages);
  const { move, erase, erasing } = decisions;
  useInboxKeys(section, submissionId);
  return (
    <section aria-labelledby="inbox" ref={section}>
      <InboxHead workspace={workspace} widget={widget} />
      {countOf(widget.counts, null) === 0 ? (
        <NothingYet origin={widget.origin} />
      ) : (
        <>
          <Toolbar widget={widget} state={state} hasNews={inbox.hasNews} onShowNews={inbox.showNews} />
          {move.error !== null && (
            <MoveProblem error={move.error} onRetry={() => decisions.moveTo(move.variables)} />
          )}
          {inbox.isLost && (
            <LostSubmission
              state={state}
              searched={inbox.list.hasNextPage ? (inbox.submissions?.length ?? null) : null}
            />
          )}
          {(unreadable.length === 0 || inbox.submissions?.[0] !== undefined) && (
            <InboxTable
              inbox={inbox}
              widget={widget}
              workspace={workspace}
              state={state}
              openId={submissionId}
              onOpen={decisions.open}
              onMove={decisions.moveTo}
              onErase={decisions.setErasing}
            />
          )}
          <UnreadableEntries workspaceId={workspaceId} widgetId={widget.widgetId} entries={unreadable} />
          <LoadMore query={inbox.list} />
        </>
      )}
      {erasing !== null && (
        <EraseDialog
          error={erase.error}
          isPending={erase.isPending}
          onErase={() => decisions.eraseIt(erasing)}
          onClose={() => decisions.setErasing(null)}
        />
      )}
    </section>
  );
}

/** The keys of the table from wherever the focus is. A message is read before a key marks it as done. */
function useInboxKeys(section: RefObject<HTMLElement>, openId: string | null): void {
  const row = () => section.current?.querySelector<HTMLElement>('tr[data-submission][tabindex="0"]');
  const toRows = () => row()?.focus();
  const openRow = () => row()?.querySelector<HTMLElement>('[data-open]')?.click();
  useShortcuts([
    { keys: 'ArrowDown', about: 'Go to the messages', run: toRows },
    { keys: 'ArrowUp', about: 'Go to the messages', run: toRows },
    ...(openId === null ? [{ keys: 'd', about: 'Open the message, to mark it as done', run: openRow }] : []),
  ]);
}

function InboxHead({ workspace: { plan, state }, widget }: InboxProps) {
  const days = usePlanLimit('svcfeedback', plan, 'retentionDays');
  const kept = days === null ? '' : ` Each is kept for ${counted(days, 'day')} after its arrival`;
  const bound = state === 'preview' ? ', and not beyond the end of the preview.' : '.';
  return (
    <div class="section-head">
      <h2 id="inbox" tabIndex={-1}>
        Inbox
      </h2>
      <p>
        {`Messages from ${visibleText(widget.origin)}, newest first.${kept}${kept === '' ? '' : bound} The audit log records who reads them.`}
      </p>
    </div>
  );
}

function NothingYet({ origin }: { readonly origin: string }) {
  return (
    <Empty
      title="No feedback yet"
      guide="feedback"
      waiting="Waiting for the first submission. It appears here automatically."
    >
      {`Put the tag above into a page of ${visibleText(origin)}. Its visitors see a button, and what they write arrives here.`}
    </Empty>
  );
}

interface ToolbarProps {
  readonly widget: Widget;
  readonly state: SubmissionState | null;
  readonly hasNews: boolean;
  readonly onShowNews: () => void;
}

/** The states as addresses, each with its count. */
function Toolbar({ widget: { counts }, state, hasNews, onShowNews }: ToolbarProps) {
  const [params] = useSearchParams();
  const [address] = useLocation();
  return (
    <div class="toolbar">
      {/* biome-ignore lint/a11y/useSemanticElements: these are links, no fields of a form. */}
      <div class="segments" role="group" aria-label="State">
        {[...LISTED_STATES, null].map((each) => (
          <PageLink
            key={each}
            to={`${address}?${withView(params, { state: stateParam(each), submission: null })}`}
            isCurrent={each === state}
          >
            {each === null ? 'All' : SUBMISSION_STATES[each].word}
            <span class="num">{count(countOf(counts, each))}</span>
          </PageLink>
        ))}
      </div>
      {hasNews && (
        <span class="news" role="status">
          The inbox has changed.{' '}
          <button type="button" class="link" onClick={onShowNews}>
            Show the changes
          </button>
        </span>
      )}
      <span class="actions hint" aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> row <kbd>Enter</kbd> open <kbd>d</kbd> done
      </span>
    </div>
  );
}

/** The address names a submission that the list does not have. */
/** @param searched the number of submissions that were searched if the list has more, else null */
function LostSubmission({
  state,
  searched,
}: {
  readonly state: SubmissionState | null;
  readonly searched: number | null;
}) {
  const [params] = useSearchParams();
  const [address] = useLocation();
  return (
    <p class="notice lost">
      <span>
        {searched === null
          ? 'The submission of this address is not in this list. '
          : `The submission of this address is not among the first ${count(searched)} of this list. Load more to look further. `}
        {state !== null && 'Look in the other states. '}
        If it was erased, or its retention has ended, it cannot be restored.{' '}
        {state !== null && (
          <PageLink to={`${address}?${withView(params, { state: 'all' })}`}>Look in every state</PageLink>
        )}
      </span>
    </p>
  );
}
