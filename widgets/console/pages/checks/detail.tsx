import '../../style/checks.css';
import { useQuery } from '@tanstack/preact-query';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { SegmentLine } from '../../parts/frame/segment-line.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { isGone, Unreadable } from '../../parts/loading/unreadable.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { Identifier, shortened } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Badge, Shape } from '../../parts/table/state.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { WorkspacePart } from '../../parts/workspace/workspace-part.tsx';
import { useRunSuite } from './check-changes.ts';
import { FlowSections } from './flows.tsx';
import { Copied } from './origins-section.tsx';
import { type Place, type Run, runQuery, type Suite, suitesQuery } from './queries.ts';
import { isOpen } from './run-pace.ts';
import { REASONS, runSegments, shownState } from './run-state.ts';
import { ScreenshotSection } from './screenshot.tsx';

type Params = { readonly params: Record<string, string> };

const WHAT = {
  title: 'Run',
  name: 'run',
  isList: false,
  erased: 'The origins, suites, runs and screenshots are deleted.',
};

/** `/agent-workspaces/{id}/checks/{runId}`: one run with its steps, its reason and its picture. */
export function RunPage({ params: { workspaceId = '', runId = '' } }: Params) {
  const place = { workspaceId, runId };
  const found = useQuery(runQuery(place));
  const suites = useQuery(suitesQuery(workspaceId));
  const again = useRunSuite(workspaceId);
  const { role } = useMembership();
  if (found.error !== null && (found.data === undefined || isGone(found.error))) {
    return <Unreadable workspaceId={workspaceId} what={WHAT} query={found} />;
  }
  const checks = `/agent-workspaces/${workspaceId}/checks`;
  // The name and the steps of the suite come with it, and appear together.
  const run = suites.isPending ? undefined : found.data;
  const suite = suites.data?.suites.find(({ suiteId }) => suiteId === run?.suiteId);
  return (
    <WorkspacePart
      workspaceId={workspaceId}
      list={{ label: 'Checks', to: checks }}
      title={run === undefined ? null : (suite?.name ?? 'Run')}
      here={shortened(runId)}
      state={run && <RunBadge run={run} />}
      actions={
        run === undefined ? null : suite && mayDecide(role) ? (
          <ActionButton reason={null} isPending={again.isPending} onAct={() => again.mutate(suite)}>
            Run again
          </ActionButton>
        ) : undefined
      }
      lines={2}
      meta={run === undefined ? null : <Meta run={run} checks={checks} />}
    >
      {run && (
        <>
          <ProblemPanel
            error={again.error}
            act={{ thing: 'the suite', done: 'run' }}
            onRetry={again.repeat}
          />
          <ShownRun
            place={place}
            run={run}
            suite={suite}
            error={found.error ?? suites.error}
            onRetry={() => {
              void found.refetch();
              void suites.refetch();
            }}
          />
        </>
      )}
    </WorkspacePart>
  );
}

function RunBadge({ run }: { readonly run: Run }) {
  const { word, tone, about } = shownState(run);
  return (
    <Badge tone={tone} title={about}>
      {word}
    </Badge>
  );
}

function Meta({ run, checks }: { readonly run: Run; readonly checks: string }) {
  return (
    <>
      <Identifier value={run.runId} name="run id" />
      <span>
        <PageLink to={`${checks}?suite=${run.suiteId}`}>Suite and its runs</PageLink>
      </span>
      <span>
        Requested <AbsoluteTime at={run.requestedAt} />
      </span>
    </>
  );
}

interface ShownRunProps {
  readonly place: Place;
  readonly run: Run;
  /** Absent where the suites could not be read. */
  readonly suite: Suite | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
}

function ShownRun({ place, run, suite, error, onRetry }: ShownRunProps) {
  return (
    <>
      {error !== null && (
        <ProblemPanel error={error} title="The run could not be refreshed" onRetry={onRetry} />
      )}
      <SegmentLine segments={runSegments(run)} />
      <div class="sided">
        <div class="stack flush">
          <Verdict run={run} />
          <FlowSections run={run} suite={suite} />
        </div>
        <RunFacts run={run} />
      </div>
      <ScreenshotSection place={place} run={run} />
    </>
  );
}

/** The result of a run: that it is verified, or the first failure with what to do about it. */
function Verdict({ run }: { readonly run: Run }) {
  const { failure, verified } = run;
  if (isOpen(run)) {
    return (
      <p class="wait" role="status">
        <span class="pulse" aria-hidden="true" />
        {run.status === 'queued' ? 'Waiting for a runner.' : 'The flows are running.'} The result appears here
        automatically.
      </p>
    );
  }
  if (failure !== null) {
    const { title, cure } = REASONS[failure.reason];
    const tone = shownState(run).tone === 'warn' ? 'warn' : 'bad';
    return (
      <section class={`notice ${tone}`} aria-label="Reason">
        <Shape tone={tone} />
        <div>
          <strong>{title}</strong>
          <p>{visibleText(failure.message)}</p>
          <p>{cure}</p>
          <p class="hint seen">
            <code>{failure.reason}</code>
          </p>
        </div>
      </section>
    );
  }
  return verified ? (
    <section class="notice ok" aria-label="Result">
      <Shape tone="ok" />
      <div>
        <strong>Verified</strong>
        Every step passed, and the run ended on the proved origin. This result is enough to claim the
        workspace.
      </div>
    </section>
  ) : (
    <section class="notice warn" aria-label="Result">
      <Shape tone="warn" />
      <div>
        <strong>Not verified</strong>
        {shownState(run).about}
      </div>
    </section>
  );
}

function RunFacts({ run }: { readonly run: Run }) {
  const { consoleErrors, networkErrors, blockedRequests, finalUrl } = run;
  const isPending = isOpen(run);
  const number = (value: number) => (isPending ? <span class="muted">not yet</span> : count(value));
  return (
    <section aria-labelledby="facts">
      <div class="section-head">
        <h2 id="facts">Browser errors</h2>
      </div>
      <div class="panel">
        <Facts inset>
          <Fact name="Console errors">{number(consoleErrors)}</Fact>
          <Fact name="Network errors">{number(networkErrors)}</Fact>
          <Fact name="Blocked requests">{number(blockedRequests)}</Fact>
        </Facts>
        <div class="final">
          <h3>Last page</h3>
          {finalUrl === null ? (
            <p class="muted">{isPending ? 'not yet' : 'none was opened'}</p>
          ) : (
            <Copied value={finalUrl} label="Copy the address of the last page" />
          )}
        </div>
      </div>
    </section>
  );
}
