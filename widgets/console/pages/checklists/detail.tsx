import '../../style/checklists.css';
import { useQueries, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useLocation, useSearchParams } from 'wouter-preact';
import type { Release } from '../../api/capabilities.ts';
import type { Schemas } from '../../api/interface.ts';
import { overviewQuery, workspaceQuery } from '../../api/workspace.ts';
import { Icon } from '../../parts/frame/icon.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { isGone, Unreadable } from '../../parts/loading/unreadable.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { Badge } from '../../parts/table/state.tsx';
import { AbsoluteTime, RelativeTime } from '../../parts/table/time.tsx';
import { UnreadableEntries } from '../../parts/table/unreadable-entries.tsx';
import { pinnedTag, type Tag, WidgetSection } from '../../parts/workspace/widget-tag.tsx';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { WORKSPACE_STATES } from '../../parts/workspace/workspace-state.tsx';
import { ConfigurationSection, OriginsSection } from './configuration.tsx';
import { EraseSubject } from './erase-subject.tsx';
import { COHORTS, type Cohort, countsToCome } from './funnel.ts';
import { FunnelSection } from './funnel-section.tsx';
import { checklistQuery, type Place, type Revision, summaryQuery, useExport } from './queries.ts';
import { Totals } from './totals.tsx';
import { type View, viewOf, viewQuery } from './view.ts';

const WHAT = {
  title: 'Checklist',
  name: 'checklist',
  isList: false,
  erased: 'The checklists and their counts are deleted.',
};

type Params = { readonly params: Record<string, string> };

/** Events arrive at any time: the page reads the counts this often while it is shown. */
const WATCH_MS = 15_000;

/** `/agent-workspaces/{id}/checklists/{checklistId}`: funnel, configuration, export and erasure of one checklist. */
export function ChecklistPage({ params: { workspaceId = '', checklistId = '' } }: Params) {
  const place = { workspaceId, checklistId };
  const found = useQuery({ ...checklistQuery(place), refetchInterval: WATCH_MS });
  const workspace = useQuery(workspaceQuery(workspaceId));
  const save = useExport(place);
  if (found.error !== null && (found.data === undefined || isGone(found.error))) {
    return <Unreadable workspaceId={workspaceId} what={WHAT} query={found} />;
  }
  const revisions = found.data?.revisions ?? [];
  const latest = revisions.at(-1);
  const state = workspace.data === undefined ? null : WORKSPACE_STATES[workspace.data.state];
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      list={{ label: 'Checklists', to: `/agent-workspaces/${workspaceId}/checklists` }}
      // No revision of it may be readable.
      title={latest?.configuration.name ?? (found.data === undefined ? null : WHAT.title)}
      state={
        latest !== undefined &&
        state !== null && (
          <Badge tone={state.tone} title={state.about}>
            {state.word}
          </Badge>
        )
      }
      actions={<ExportButton isPending={save.isPending} onAct={() => save.mutate()} />}
      lines={2}
      meta={latest ? <Meta place={place} latest={latest} results={workspace.data?.results ?? []} /> : null}
    >
      {found.data && (
        <>
          <ProblemPanel
            error={save.error}
            title="The checklist could not be exported"
            onRetry={() => save.mutate()}
          />
          <UnreadableEntries entries={found.data.unreadable} />
          {latest && <Checklist place={place} revisions={revisions} latest={latest} />}
        </>
      )}
    </WorkspacePart>
  );
}

interface ChecklistProps {
  readonly place: Place;
  readonly revisions: readonly Revision[];
  readonly latest: Revision;
}

function Checklist({ place, revisions, latest }: ChecklistProps) {
  const [params] = useSearchParams();
  const view = viewOf(params, latest.revision);
  const shown = revisions.find(({ revision }) => revision === view.revision) ?? latest;
  return (
    <>
      <Choices revisions={revisions} view={view} latest={latest.revision} />
      <Counts place={place} revision={shown} view={view} />
      <div class="sided">
        <ConfigurationSection revisions={revisions} view={view} />
        <OriginsSection revision={latest} />
      </div>
      <WidgetSection
        product="svcactivate"
        about="Pages of the allowed origins show the checklist with this script: SvcActivate.mount(element, { sessionPath })"
        tags={checklistTags}
      />
      <EraseSubject key={place.checklistId} place={place} cohort={view.cohort ?? 'live'} />
    </>
  );
}

function checklistTags(release: Pick<Release, 'url' | 'integrity'>): readonly Tag[] {
  return [
    {
      title: 'Tag',
      tag: `<script defer src="${new URL(release.url).origin}/v1/activate/widget.v1.js"></script>`,
      hint: 'Loads the latest compatible release.',
    },
    {
      title: 'Pinned tag, with digest',
      tag: pinnedTag(release, 'defer'),
      hint: 'Use instead of the tag above if your page pins scripts with Subresource Integrity.',
    },
  ];
}

function ExportButton({ isPending, onAct }: { readonly isPending: boolean; readonly onAct: () => void }) {
  return (
    <button
      type="button"
      class="btn"
      aria-disabled={isPending}
      onClick={() => {
        if (!isPending) onAct();
      }}
    >
      <Icon name="download" size={14} />
      {isPending ? 'Exporting' : 'Export'}
    </button>
  );
}

interface MetaProps {
  readonly place: Place;
  readonly latest: Revision;
  readonly results: Schemas['Workspace']['results'];
}

function Meta({ place, latest, results }: MetaProps) {
  const lastEvent = results.find(({ id }) => id === place.checklistId);
  return (
    <>
      <Identifier value={place.checklistId} name="checklist id" />
      <span>
        Revision {latest.revision}, since <AbsoluteTime at={latest.createdAt} />
      </span>
      {lastEvent !== undefined && (
        <span>
          Last event <RelativeTime at={lastEvent.at} />
        </span>
      )}
    </>
  );
}

interface ChoicesProps {
  readonly revisions: readonly Revision[];
  readonly view: View;
  readonly latest: number;
}

/** The revision and the cohort, as addresses. */
function Choices({ revisions, view, latest }: ChoicesProps) {
  const [params] = useSearchParams();
  const [address] = useLocation();
  const to = (changes: Readonly<Record<string, string | number | null>>) =>
    address + viewQuery(params, changes);
  return (
    <div class="toolbar flush">
      <Segments label="Revision">
        {revisions.map(({ revision }) => (
          <PageLink
            key={revision}
            to={to({ revision: revision === latest ? null : revision, against: null })}
            isCurrent={revision === view.revision}
          >
            Revision {revision}
          </PageLink>
        ))}
      </Segments>
      <Segments label="Cohort">
        <PageLink to={to({ cohort: null })} isCurrent={view.cohort === null}>
          Both cohorts
        </PageLink>
        {COHORTS.map((cohort) => (
          <PageLink key={cohort} to={to({ cohort })} isCurrent={view.cohort === cohort}>
            {cohort === 'live' ? 'Live' : 'Test'}
          </PageLink>
        ))}
      </Segments>
      <span class="hint">
        An enrollment keeps the revision it began with, so each revision has its own funnel.
      </span>
    </div>
  );
}

function Segments({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are links, no fields of a form.
    <div class="segments" role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface CountsProps {
  readonly place: Place;
  readonly revision: Revision;
  readonly view: View;
}

function Counts({ place, revision, view }: CountsProps) {
  const overview = useQuery({ ...overviewQuery(place.workspaceId), refetchInterval: WATCH_MS });
  const cohorts = view.cohort === null ? COHORTS : [view.cohort];
  const found = useQueries({
    queries: cohorts.map((cohort) => ({
      ...summaryQuery(place, revision.revision, cohort),
      refetchInterval: WATCH_MS,
    })),
  });
  const failed = found.find(({ error }) => error !== null);
  const summaries = found.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const isWhole = summaries.length === cohorts.length;
  return (
    <>
      {failed?.error && (
        <ProblemPanel
          error={failed.error}
          title="The counts could not be read"
          onRetry={() => {
            for (const each of found) void each.refetch();
          }}
        />
      )}
      {!isWhole && failed === undefined && <CountsToCome revision={revision} cohorts={cohorts} />}
      {isWhole && (
        <>
          <Totals
            revision={revision.revision}
            summaries={summaries}
            events={overview.data?.limits.svcactivate?.events}
          />
          <FunnelSection revision={revision} summaries={summaries} />
        </>
      )}
    </>
  );
}

interface CountsToComeProps {
  readonly revision: Revision;
  readonly cohorts: readonly Cohort[];
}

/** Totals and funnel in their final height while the counts load, without a word. */
function CountsToCome({ revision, cohorts }: CountsToComeProps) {
  const summaries = cohorts.map((cohort) => countsToCome(revision.configuration.steps, cohort));
  return (
    <div class="to-come" aria-busy="true" inert>
      <Totals revision={revision.revision} summaries={summaries} events={undefined} />
      <FunnelSection revision={revision} summaries={summaries} />
    </div>
  );
}
