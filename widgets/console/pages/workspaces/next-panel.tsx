import type { ComponentChildren } from 'preact';
import { useClaimWorkspace } from '../../api/claim-workspace.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Badge } from '../../parts/table/state.tsx';
import { bothTimes, duration, recentTime, useNow } from '../../parts/table/time.tsx';
import { ChangeProblem } from './change-problem.tsx';
import { actionPath, actionWords, type NextAction } from './next-action.ts';
import { useWorkspaceChange } from './use-workspace-change.ts';

/** A shorter wait is not said: "0 min". */
const SHORT_WAIT_MS = 60_000;

interface NextPanelProps {
  readonly workspace: Schemas['Workspace'];
  /** Null if nothing waits. */
  readonly next: NextAction | null;
}

/** The panel above everything else: what waits for a person, since when, and the one button that does it. */
export function NextPanel({ workspace, next }: NextPanelProps) {
  const resume = useWorkspaceChange(workspace);
  const { state } = workspace;
  const problem = resume.error !== null && (
    <ChangeProblem error={resume.error} state={state} onRetry={resume.repeat} />
  );
  if (next === null) return <NothingWaits state={state}>{problem}</NothingWaits>;
  const { title, about, badge } = actionWords(next);
  return (
    <section class="panel next" aria-labelledby="next">
      <p class="kicker">
        <Badge tone={badge.tone}>{badge.word}</Badge>
        <Since next={next} />
      </p>
      <h2 id="next">{title}</h2>
      <p>{about}</p>
      <Act workspace={workspace} next={next} resume={resume} />
      {problem}
    </section>
  );
}

interface NothingWaitsProps {
  readonly state: Schemas['WorkspaceState'];
  /** Why the last action here was refused. */
  readonly children: ComponentChildren;
}

function NothingWaits({ state, children }: NothingWaitsProps) {
  const sentence = {
    preview: 'The agent is still working. You can claim the workspace once it has a verified result.',
    active: 'No approval or correction is pending.',
    paused: '',
    expired: 'The preview ended before anyone claimed it. You can erase it under Danger.',
    disconnected: 'The records stay until you erase them under Danger.',
  }[state];
  return (
    <section class="panel next" aria-labelledby="next">
      <h2 id="next">No action needed</h2>
      <p>{sentence}</p>
      {children}
    </section>
  );
}

function Since({ next }: { readonly next: NextAction }) {
  const now = useNow();
  if (next.since === null) return <span>Waits for an owner or admin</span>;
  const waited = now - Date.parse(next.since);
  return (
    <span>
      Waits for an owner or admin since{' '}
      <time dateTime={next.since} title={bothTimes(next.since)}>
        {recentTime(next.since, now)}
      </time>
      {waited >= SHORT_WAIT_MS && `, ${duration(waited)}`}
    </span>
  );
}

interface ActProps {
  readonly workspace: Schemas['Workspace'];
  readonly next: NextAction;
  readonly resume: ReturnType<typeof useWorkspaceChange>;
}

function Act({ workspace, next, resume }: ActProps) {
  const reason = useReason();
  const { link } = actionWords(next);
  // Members may look at an import, and see nothing of capabilities.
  const isClosed = reason !== null && next.kind === 'create_capability';
  if (link !== null && !isClosed) {
    return (
      <PageLink
        class="btn primary large"
        to={`/agent-workspaces/${workspace.workspaceId}${actionPath(next)}`}
      >
        {link}
      </PageLink>
    );
  }
  if (next.kind === 'claim') return <Claim workspace={workspace} />;
  return (
    <ActionButton
      class="primary large"
      reason={reason}
      isPending={resume.isPending}
      onAct={() => resume.mutate('resume')}
    >
      {link ?? 'Resume workspace'}
    </ActionButton>
  );
}

function Claim({ workspace }: { readonly workspace: Schemas['Workspace'] }) {
  const claim = useClaimWorkspace(workspace.workspaceId, ({ name }) => toast(`${name} is claimed`));
  return (
    <>
      <ActionButton
        class="primary large"
        reason={useReason()}
        isPending={claim.isPending}
        onAct={() => claim.mutate()}
      >
        Claim workspace
      </ActionButton>
      <ProblemPanel
        error={claim.error}
        act={{ thing: 'the workspace', done: 'claimed' }}
        onRetry={() => claim.mutate()}
      />
    </>
  );
}

function useReason(): string | null {
  const { role } = useMembership();
  return mayDecide(role) ? null : 'An owner or admin of the organization does this. Ask one of them.';
}
