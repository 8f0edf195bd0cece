import { useEffect, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/interface.ts';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { RowsSkeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { visibleStart, visibleText } from '../../parts/visible-text.ts';
import type { Move } from './inbox-changes.ts';
import type { Submission, SubmissionState, Widget } from './queries.ts';
import { SubmissionDetails } from './submission-details.tsx';
import { countOf, SUBMISSION_STATES } from './submission-state.ts';
import type { InboxList } from './use-inbox.ts';

const COLUMNS = 5;

/** The rows of one page of the list. */
const PAGE_ROWS = 50;

/** The characters of a message that its row shows. */
const ROW_CHARACTERS = 160;

interface InboxTableProps {
  readonly inbox: InboxList;
  readonly widget: Widget;
  readonly workspace: Schemas['Workspace'];
  readonly state: SubmissionState | null;
  readonly openId: string | null;
  readonly onOpen: (submissionId: string | null) => void;
  readonly onMove: (move: Move) => void;
  readonly onErase: (submission: Submission) => void;
}

/** The submissions. Enter or a click opens one below its row. */
export function InboxTable(props: InboxTableProps) {
  const { inbox, widget, state } = props;
  const { list, submissions } = inbox;
  if (submissions === undefined && list.error !== null) {
    return (
      <ProblemPanel
        error={list.error}
        title="The messages could not be read"
        onRetry={() => void list.refetch()}
      />
    );
  }
  const awaited = Math.min(Math.max(countOf(widget.counts, state), 1), PAGE_ROWS);
  return (
    <>
      {list.error !== null && !list.isFetchNextPageError && (
        <ProblemPanel
          error={list.error}
          title="The messages could not be refreshed"
          onRetry={() => void list.refetch()}
        />
      )}
      <Scroller label="Inbox table">
        <table class="inbox">
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col" class="hide-narrow">
                Page
              </th>
              <th scope="col" class="hide-narrow">
                Rating
              </th>
              <th scope="col">State</th>
              <th scope="col" class="end">
                Received
              </th>
            </tr>
          </thead>
          {submissions === undefined ? (
            <RowsSkeleton rows={awaited} columns={COLUMNS} />
          ) : (
            <Rows>
              {submissions.length === 0 && (
                <tr>
                  <td colSpan={COLUMNS} class="muted">
                    {state === null
                      ? 'Every message has ended or was erased.'
                      : SUBMISSION_STATES[state].none}
                  </td>
                </tr>
              )}
              {submissions.map((submission) => (
                <SubmissionRows key={submission.submissionId} submission={submission} {...props} />
              ))}
            </Rows>
          )}
        </table>
      </Scroller>
    </>
  );
}

type SubmissionRowsProps = InboxTableProps & { readonly submission: Submission };

function SubmissionRows(props: SubmissionRowsProps) {
  const { submission, openId, onOpen } = props;
  const { submissionId, message, path, rating, state, receivedAt } = submission;
  const isOpen = submissionId === openId;
  const row = useRef<HTMLTableRowElement>(null);
  const { word, tone, about } = SUBMISSION_STATES[state];
  useEffect(() => {
    // An address can name a submission that is further down.
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <>
      <tr ref={row} aria-selected={isOpen} data-submission={submissionId}>
        <th scope="row">
          <button
            type="button"
            class="link"
            data-open=""
            aria-expanded={isOpen}
            onClick={() => onOpen(isOpen ? null : submissionId)}
          >
            {visibleStart(message.replaceAll(/\s+/g, ' '), ROW_CHARACTERS)}
          </button>
        </th>
        <td class="clip hide-narrow" title={path === null ? undefined : visibleText(path)}>
          {path === null ? <span class="muted">none</span> : <code>{visibleText(path)}</code>}
        </td>
        <td class="hide-narrow">{rating === null ? <span class="muted">none</span> : `${rating} of 5`}</td>
        <td>
          <State tone={tone} title={about}>
            {word}
          </State>
        </td>
        <td class="end muted">
          <RelativeTime at={receivedAt} />
        </td>
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={COLUMNS}>
            <SubmissionDetails {...props} />
          </td>
        </tr>
      )}
    </>
  );
}
