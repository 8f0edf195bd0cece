import { usePlanLimit } from '../../api/capabilities.ts';
import type { Schemas } from '../../api/interface.ts';
import { useShortcuts } from '../../parts/frame/shortcuts.ts';
import { Identifier } from '../../parts/table/identifier.tsx';
import { State } from '../../parts/table/state.tsx';
import { AbsoluteTime, DAY_MS } from '../../parts/table/time.tsx';
import { visibleLines, visibleText } from '../../parts/table/visible-text.ts';
import type { Move } from './inbox-changes.ts';
import type { Submission, SubmissionState, Widget } from './queries.ts';

interface DetailsProps {
  readonly submission: Submission;
  readonly widget: Widget;
  readonly workspace: Schemas['Workspace'];
  readonly onMove: (move: Move) => void;
  readonly onErase: (submission: Submission) => void;
}

/** One submission as a whole: the message as plain text, what is known of it, and what can be done. */
export function SubmissionDetails({ submission, widget, workspace, onMove, onErase }: DetailsProps) {
  const { submissionId, message, rating, path, receivedAt, state } = submission;
  const until = useEnd(submission, workspace);
  const isVerified = widget.verified?.submissionId === submissionId;
  return (
    <div class="opened submission">
      <p class="message" dir="auto">
        {visibleLines(message)}
      </p>
      <dl>
        <div>
          <dt>Page</dt>
          <dd>{path === null ? 'not sent' : <code>{visibleText(path)}</code>}</dd>
        </div>
        <div>
          <dt>Rating</dt>
          <dd>{rating === null ? 'none' : `${rating} of 5`}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            <AbsoluteTime at={receivedAt} />
            {isVerified && <State tone="ok">Verified by an agent</State>}
          </dd>
        </div>
        {until !== null && (
          <div>
            <dt>Kept until</dt>
            <dd>
              <AbsoluteTime at={until} />
            </dd>
          </div>
        )}
        <div>
          <dt>Id</dt>
          <dd>
            <Identifier value={submissionId} name="submission id" />
          </dd>
        </div>
      </dl>
      {state === 'held' && (
        <p class="hint">
          It is held because a program may have sent it: it came within seconds, or it filled in a field that
          people do not see. Release it if a person wrote it.
        </p>
      )}
      <Actions
        submission={submission}
        isEnded={workspace.state === 'disconnected'}
        onMove={onMove}
        onErase={onErase}
      />
    </div>
  );
}

/** The end of the retention; null while its length is not known. */
function useEnd({ receivedAt }: Submission, { plan, expiresAt }: Schemas['Workspace']): string | null {
  const days = usePlanLimit('svcfeedback', plan, 'retentionDays');
  if (days === null) return null;
  const own = Date.parse(receivedAt) + days * DAY_MS;
  const end = expiresAt === null ? own : Math.min(own, Date.parse(expiresAt));
  return new Date(end).toISOString();
}

interface Choice {
  readonly to: SubmissionState;
  readonly key: string;
  readonly label: string;
}

const DONE: Choice = { to: 'done', key: 'd', label: 'Mark as done' };
const HOLD: Choice = { to: 'held', key: 'h', label: 'Hold' };

/** The moves from each state, the usual one first. */
const CHOICES: Readonly<Record<SubmissionState, readonly Choice[]>> = {
  open: [DONE, HOLD],
  held: [{ to: 'open', key: 'o', label: 'Release' }, DONE],
  done: [{ to: 'open', key: 'o', label: 'Open again' }, HOLD],
};

interface ActionsProps extends Pick<DetailsProps, 'submission' | 'onMove' | 'onErase'> {
  readonly isEnded: boolean;
}

function Actions({ submission, isEnded, onMove, onErase }: ActionsProps) {
  const choices = isEnded ? [] : CHOICES[submission.state];
  useShortcuts([
    ...choices.map(({ to, key, label }) => ({
      keys: key,
      about: `${label}: the open submission`,
      isAct: true,
      run: () => onMove({ submission, to }),
    })),
    { keys: 'e', about: 'Erase the open submission', isAct: true, run: () => onErase(submission) },
  ]);
  return (
    <div class="row">
      {choices.map(({ to, label }) => (
        <button key={to} type="button" class="btn" onClick={() => onMove({ submission, to })}>
          {label}
        </button>
      ))}
      <button type="button" class="btn danger" onClick={() => onErase(submission)}>
        Erase…
      </button>
      {isEnded && (
        <span class="hint">The workspace is disconnected: messages can only be read and erased.</span>
      )}
    </div>
  );
}
