import '../../style/checks.css';
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/preact-query';
import { useSearchParams } from 'wouter-preact';
import { useHost } from '../../api/hosts.ts';
import type { Schemas } from '../../api/interface.ts';
import { workspaceQuery } from '../../api/workspace.ts';
import { Empty, Way } from '../../parts/loading/empty.tsx';
import { ProblemPanel, ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { isGone, Unreadable } from '../../parts/loading/unreadable.tsx';
import { Badge } from '../../parts/table/state.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import {
  confirmOriginCommand,
  createSuiteCommand,
  nameOriginCommand,
  runSuiteCommand,
} from '../../parts/workspace/check-commands.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { LastRuns } from './last-runs.tsx';
import { NameOrigin } from './name-origin.tsx';
import { OriginsSection } from './origins-section.tsx';
import { ProfilesSection } from './profiles-section.tsx';
import { originsQuery, profilesQuery, runsQuery, suitesQuery } from './queries.ts';
import { WATCH_MS } from './run-pace.ts';
import { RunsSection } from './runs-section.tsx';
import { SuitesSection } from './suites-section.tsx';
import { WorkspaceNotice } from './workspace-notice.tsx';

type Params = { readonly params: Record<string, string> };

const WHAT = {
  title: 'Checks',
  name: 'checks',
  isList: true,
  erased: 'The origins, suites, runs and screenshots are deleted.',
};

/** `/agent-workspaces/{id}/checks`: origins, suites, access profiles and runs of the browser checks of a workspace. */
export function ChecksPage({ params: { workspaceId = '' } }: Params) {
  const workspace = useQuery({ ...workspaceQuery(workspaceId), refetchInterval: WATCH_MS });
  const origins = useQuery(originsQuery(workspaceId));
  if (isGone(origins.error)) {
    return <Unreadable workspaceId={workspaceId} what={WHAT} query={origins} />;
  }
  const state = workspace.data === undefined ? null : WORKSPACE_STATES[workspace.data.state];
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      title="Checks"
      state={
        state !== null && (
          <Badge tone={state.tone} title={state.about}>
            {state.word}
          </Badge>
        )
      }
      actions={<NameOrigin workspaceId={workspaceId} isPrimary={origins.data?.origins.length === 0} />}
    >
      <WorkspaceNotice state={workspace.data?.state} />
      <ReadProblem query={origins} title="The origins could not be read" />
      {origins.data?.origins.length === 0 && origins.data.unreadable === undefined ? (
        <NoOrigin />
      ) : (
        <Checks workspaceId={workspaceId} list={origins.data} isPending={origins.isPending} />
      )}
    </WorkspacePart>
  );
}

function NoOrigin() {
  const base = useHost('base');
  return (
    <Empty
      title="No origin yet"
      guide="browser checks"
      waiting="Waiting for the first origin. It appears here automatically."
      ways={
        <>
          <Way
            title="Name the origin"
            command={nameOriginCommand('https://app.example.com')}
            hint={`In the project of the workspace. The tool is at ${base}/downloads/. It prints a text to publish on the origin.`}
          />
          <Way title="Prove it, once the text is published" command={confirmOriginCommand('$ORIGIN_ID')} />
          <Way
            title="Say what to look for"
            command={createSuiteCommand('$ORIGIN_ID', 'https://app.example.com')}
          />
          <Way title="Run it" command={runSuiteCommand('$SUITE_ID')} />
        </>
      }
    >
      A check opens pages of an origin of yours in a real browser, and looks for what they should show. The
      origin is proved first. A verified run is a verified result for the claim.
    </Empty>
  );
}

interface ChecksProps {
  readonly workspaceId: string;
  /** The origins; absent if they could not be read. */
  readonly list: Schemas['CheckOriginList'] | undefined;
  readonly isPending: boolean;
}

/** The sections depend on several answers, and appear together. */
function Checks({ workspaceId, list, isPending }: ChecksProps) {
  const origins = list?.origins;
  const [search] = useSearchParams();
  const suiteId = search.get('suite');
  const suites = useQuery({ ...suitesQuery(workspaceId), refetchInterval: WATCH_MS });
  const profiles = useQuery(profilesQuery(workspaceId));
  const runs = useInfiniteQuery(runsQuery(workspaceId, suiteId));
  // The same query while no suite is chosen.
  const latest = useInfiniteQuery(runsQuery(workspaceId, null));
  if (isPending || suites.isPending || profiles.isPending) return <PanelSkeleton />;
  const failed = [suites, profiles].find(({ error }) => error !== null);
  const all = suites.data?.suites ?? [];
  const needsProof = all.length === 0 || origins?.some(({ state }) => state !== 'verified') === true;
  const originsSection = origins?.[0] !== undefined && (
    <OriginsSection workspaceId={workspaceId} origins={origins} />
  );
  return (
    <>
      <LastRuns
        workspaceId={workspaceId}
        suites={all}
        runs={runsOf(latest)}
        isWhole={unreadableIn([suites.data, ...pagesOf(latest)]).length === 0}
      />
      <UnreadableEntries
        entries={unreadableIn([...[list, suites.data, profiles.data], ...pagesOf(latest), ...pagesOf(runs)])}
      />
      {needsProof && originsSection}
      {failed?.error != null && (
        <ProblemPanel
          error={failed.error}
          title="Suites and access profiles could not be read"
          onRetry={() => {
            void suites.refetch();
            void profiles.refetch();
          }}
        />
      )}
      {suites.data !== undefined && (
        <SuitesSection
          workspaceId={workspaceId}
          suites={all}
          profiles={profiles.data?.accessProfiles ?? []}
          origins={origins ?? []}
          isWhole={suites.data.unreadable === undefined}
        />
      )}
      <RunsSection
        workspaceId={workspaceId}
        suites={all}
        suiteId={suiteId}
        runs={runsOf(runs)}
        isWhole={unreadableIn(runs.data?.pages).length === 0}
        list={runs}
      />
      {!needsProof && originsSection}
      <ProfilesSection profiles={profiles.data?.accessProfiles ?? []} origins={origins ?? []} />
    </>
  );
}

type RunList = Pick<UseInfiniteQueryResult<InfiniteData<Schemas['CheckRunList']>>, 'data'>;

function runsOf({ data }: RunList) {
  return data?.pages.flatMap((page) => page.runs);
}

function pagesOf({ data }: RunList) {
  return data?.pages ?? [];
}
