import { useEffect, useRef } from 'preact/hooks';
import type { Schemas } from '../../api/interface.ts';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleStart, visibleText } from '../../parts/table/visible-text.ts';
import type { Move } from './inbox-changes.ts';
import type { Submission, SubmissionState, Widget } from './queries.ts';
import { SubmissionDetails } from './submission-details.tsx';
import { countOf, SUBMISSION_STATES } from './submission-state.ts';
import type { InboxList } from './use-inbox.ts';

const COLUMNS: readonly Column[] = [
  'Message',
  ['Page', 'hide-narrow'],
  ['Rating', 'hide-narrow'],
  'State',
  ['Received', 'end'],
];

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
    return <ReadProblem query={list} title="The messages could not be read" />;
  }
  const awaited = Math.min(Math.max(countOf(widget.counts, state), 1), PAGE_ROWS);
  return (
    <>
      {list.error !== null && !list.isFetchNextPageError && (
        <ReadProblem query={list} title="The messages could not be refreshed" />
      )}
      <Table label="Inbox table" class="inbox" columns={COLUMNS}>
        {submissions === undefined ? (
          <RowsSkeleton rows={awaited} columns={COLUMNS.length} />
        ) : (
          <Rows>
            {submissions.length === 0 && (
              <tr>
                <td colSpan={COLUMNS.length} class="muted">
                  {state === null ? 'Every message has ended or was erased.' : SUBMISSION_STATES[state].none}
                </td>
              </tr>
            )}
            {submissions.map((submission) => (
              <SubmissionRows key={submission.submissionId} submission={submission} {...props} />
            ))}
          </Rows>
        )}
      </Table>
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
          <td colSpan={COLUMNS.length}>
            <SubmissionDetails {...props} />
          </td>
        </tr>
      )}
    </>
  );
}
