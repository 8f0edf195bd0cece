import { type UseQueryResult, useQuery } from '@tanstack/preact-query';
import { hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { overviewQuery, workspaceQuery } from '../../api/workspace.ts';
import { useAsked } from '../../parts/form/use-asked.ts';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel, ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { Badge } from '../../parts/table/state.tsx';
import { Countdown } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { VerifiedResults } from '../../parts/workspace/verified-results.tsx';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { ActivitySection } from './activity.tsx';
import { CredentialsSection } from './credentials.tsx';
import { WorkspaceDanger } from './danger.tsx';
import { WorkspaceFacts } from './facts.tsx';
import { Limits } from './limits.tsx';
import { NextPanel } from './next-panel.tsx';

/** While something is under way, the page looks this often. */
const WATCH_MS = 15_000;

/** The act in the address that opens the dialog for a credential. */
const CREATE = 'create-credential';

const CRUMBS = [{ label: 'Workspaces', to: '/agent-workspaces' }];

/** `/agent-workspaces/{workspaceId}`: the overview of one workspace. */
export function WorkspacePage({ params }: { readonly params: Record<string, string> }) {
  const workspaceId = params['workspaceId'] ?? '';
  const found = useQuery({ ...workspaceQuery(workspaceId), refetchInterval: WATCH_MS });
  const { data: workspace, error } = found;
  const overview = useQuery({
    ...overviewQuery(workspaceId),
    enabled: error === null,
    refetchInterval: WATCH_MS,
  });
  const [act, ask] = useAsked('do');
  const { role } = useMembership();
  if (error !== null && (workspace === undefined || isGone(error))) {
    return <Unreadable error={error} onRetry={() => void found.refetch()} />;
  }
  const isLive = workspace?.state !== 'expired' && workspace?.state !== 'disconnected';
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      isOverview
      title={workspace?.name ?? null}
      state={workspace && <StateOf workspace={workspace} />}
      actions={
        workspace === undefined ? null : mayDecide(role) && isLive ? (
          <button type="button" class="btn" onClick={() => ask(CREATE)}>
            Create credential
          </button>
        ) : undefined
      }
    >
      {workspace === undefined || overview.isPending ? (
        <OverviewSkeleton />
      ) : (
        <Overview
          workspace={workspace}
          overview={overview}
          isCreating={act === CREATE}
          onCreating={(isCreating) => ask(isCreating ? CREATE : null)}
          reason={changeReason(role, isLive)}
        />
      )}
    </WorkspacePart>
  );
}

function isGone(error: Error): boolean {
  return hasStatus(error, 404) || hasStatus(error, 410);
}

function Unreadable({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const isErased = hasStatus(error, 410);
  const title = isErased ? 'This workspace was erased' : 'There is no such workspace';
  return (
    <>
      <PageHead title={isGone(error) ? title : 'Workspace'} crumbs={CRUMBS} />
      {isGone(error) ? (
        <p class="lede">
          {isErased
            ? 'The records and files are deleted. The audit log has who erased the workspace and when.'
            : 'The address is wrong, or the workspace belongs to another organization.'}{' '}
          <PageLink to="/agent-workspaces">Go to the workspaces</PageLink>
        </p>
      ) : (
        <ProblemPanel error={error} title="The workspace could not be read" onRetry={onRetry} />
      )}
    </>
  );
}

function StateOf({ workspace: { state, plan, expiresAt } }: { readonly workspace: Schemas['Workspace'] }) {
  const { word, tone, about } = WORKSPACE_STATES[state];
  return (
    <>
      <Badge tone={tone} title={about}>
        {word}
      </Badge>
      <span class="tag">{plan === 'preview' ? 'Preview limits' : 'Free'}</span>
      {expiresAt !== null && (
        <span class="hint num">
          <Countdown until={expiresAt} />
        </span>
      )}
    </>
  );
}

/** The overview in its shape: its sections depend on one answer, and appear together. */
function OverviewSkeleton() {
  return (
    <div class="overview">
      <div class="skeleton" aria-busy="true">
        <span class="vh">Loading</span>
        <div class="bone panel low" />
      </div>
      <aside aria-hidden="true">
        <div class="bone panel" />
      </aside>
      <div class="stack" aria-hidden="true">
        <div class="bone panel" />
      </div>
    </div>
  );
}

interface OverviewProps {
  readonly workspace: Schemas['Workspace'];
  readonly overview: Pick<UseQueryResult<Schemas['WorkspaceOverview']>, 'data' | 'error' | 'refetch'>;
  readonly isCreating: boolean;
  readonly onCreating: (isCreating: boolean) => void;
  /** The reason why credentials cannot be changed; null if they can. */
  readonly reason: string | null;
}

function Overview({ workspace, overview, isCreating, onCreating, reason }: OverviewProps) {
  const failure = overview.error !== null && (
    <ReadProblem query={overview} title="Activity and limits could not be read" />
  );
  return (
    <div class="overview">
      {overview.data === undefined ? failure : <NextPanel workspace={workspace} next={overview.data.next} />}
      <aside aria-label="Limits and facts">
        {overview.data !== undefined && <Limits limits={overview.data.limits} plan={workspace.plan} />}
        <WorkspaceFacts workspace={workspace} overview={overview.data} />
      </aside>
      <div class="stack">
        {overview.data !== undefined && failure}
        <UnreadableEntries
          workspaceId={workspace.workspaceId}
          entries={unreadableIn([workspace, overview.data])}
        />
        <VerifiedResults results={workspace.results} workspaceId={workspace.workspaceId} />
        {overview.data !== undefined && <ActivitySection activity={overview.data.activity} />}
        <CredentialsSection
          workspace={workspace}
          isCreating={isCreating}
          onCreating={onCreating}
          reason={reason}
        />
        <WorkspaceDanger workspace={workspace} limits={overview.data?.limits} />
      </div>
    </div>
  );
}

function changeReason(role: Schemas['Membership']['role'], isLive: boolean): string | null {
  if (!mayDecide(role)) return 'An owner or admin creates, rotates and revokes credentials.';
  return isLive ? null : 'The workspace has ended, and the credentials with it.';
}
