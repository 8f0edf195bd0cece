import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useSearchParams } from 'wouter-preact';
import { PageHead } from '../../parts/frame/page-head.tsx';
import { isAway } from '../../parts/loading/away.ts';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { useNarrow } from '../../parts/loading/signal.ts';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { Badge, type Tone } from '../../parts/table/state.tsx';
import { Funnel, Origins, Quotas } from './activity.tsx';
import { clockTime } from './ages.ts';
import { Charts } from './charts.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { Findings, type ShownFinding } from './findings.tsx';
import { HealthTable, ProcessesTable } from './health-table.tsx';
import {
  type Activity,
  activityQuery,
  type DeadLetter,
  lettersQuery,
  RANGES,
  type Range,
  type Summary,
  summaryQuery,
} from './queries.ts';
import { Queues } from './queues.tsx';
import { Section } from './section.tsx';
import { SwitchesSection } from './switches.tsx';
import { Tally } from './tally.tsx';
import { TopicsSection } from './topics-table.tsx';
import '../../style/operations.css';

/** `/ops?range`: how the service does, who is affected if it does not, and what an operator can do. */
export function OperationsPage() {
  const [params, setParams] = useSearchParams();
  const summary = useQuery(summaryQuery);
  const activity = useQuery(activityQuery);
  const letters = useInfiniteQuery(lettersQuery('open'));
  const away = isAway.use();
  const isNarrow = useNarrow();
  const isRead = summary.error === null && !away;
  const range = RANGES.find((each) => each.range === params.get('range'))?.range ?? '15m';
  const choose = (chosen: Range) => {
    const next = new URLSearchParams(params);
    next.set('range', chosen);
    setParams(next, { replace: true });
  };
  const choice = <RangeChoice chosen={range} onChoose={choose} />;
  const findings =
    summary.data === undefined
      ? []
      : [...summary.data.findings, ...lettersFinding(letters.data?.pages ?? [])];
  return (
    <>
      <PageHead
        title="Operations"
        actions={isNarrow ? undefined : choice}
        state={summary.data && <ServiceState findings={findings} isRead={isRead} />}
        lines={2}
        meta={summary.data === undefined ? null : <Meta summary={summary.data} isRead={isRead} />}
      />
      <div class="stack">
        <ReadProblem query={summary} title="The numbers could not be read" />
        {/* The sections stand one below the other, so that they appear together. */}
        {summary.data === undefined || activity.isPending || letters.isPending ? (
          <PanelSkeleton />
        ) : (
          <>
            <Findings findings={findings} />
            <Tally summary={summary.data} />
            <Parts summary={summary.data} activity={activity} range={range} choice={choice} />
          </>
        )}
      </div>
    </>
  );
}

interface PartsProps {
  readonly summary: Summary;
  readonly activity: UseQueryResult<Activity>;
  readonly range: Range;
  /** The choice of the range. */
  readonly choice: ComponentChildren;
}

/** The charts, and then what can be done. On a phone what can be done comes first, and the rest opens when it is pressed. */
function Parts({ summary, activity, range, choice }: PartsProps) {
  const { data } = activity;
  const charts = <Charts range={range} />;
  const topics = <TopicsSection topics={summary.topics} range={range} />;
  const standing = (
    <div class="halves">
      <HealthTable summary={summary} />
      <SwitchesSection activity={data} />
    </div>
  );
  const details = (
    <>
      <ReadProblem query={activity} title="The activity could not be read" />
      {data !== undefined && <Funnel activity={data} />}
      <div class="halves">
        <Queues topics={summary.topics} />
        {data !== undefined && <Origins origins={data.origins} />}
      </div>
      {data !== undefined && <Quotas quotas={data.quotas} />}
      <ProcessesTable processes={summary.processes} />
    </>
  );
  return useNarrow() ? (
    <>
      {standing}
      <DeadLetters />
      <div class="folds">
        <Section id="requests" title="Over time" brief="Lag, latency, requests" actions={choice}>
          {charts}
        </Section>
        {topics}
        {details}
      </div>
    </>
  ) : (
    <>
      <div id="requests">{charts}</div>
      {topics}
      <DeadLetters />
      {standing}
      {details}
    </>
  );
}

/** Dead letters wait for a person, although their partitions continued. */
function lettersFinding(
  pages: readonly { readonly open: number; readonly deadLetters: readonly DeadLetter[] }[],
): ShownFinding[] {
  const open = pages[0]?.open ?? 0;
  if (open === 0) return [];
  const letters = pages.flatMap(({ deadLetters }) => deadLetters);
  const topics = new Set(letters.map(({ topic }) => topic));
  return [
    {
      name: 'dead-lettered',
      severity: 'warn',
      title: `${counted(open, 'record was', 'records were')} set aside in ${counted(topics.size, 'topic')}`,
      affected: 'Those whose requests these records are; the partitions continued.',
      cure: 'Send a record again once its cause is gone, or discard it; both are in the audit log.',
      since: letters.map(({ at }) => at).sort()[0] ?? null,
      list: { at: '#dead-letters', label: 'Review dead letters' },
    },
  ];
}

interface ServiceStateProps {
  readonly findings: readonly ShownFinding[];
  readonly isRead: boolean;
}

/** The state of the service as it was read. A service that does not answer has none. */
function ServiceState({ findings, isRead }: ServiceStateProps) {
  if (!isRead) return <Badge tone="idle">Unknown</Badge>;
  const tone: Tone = findings[0]?.severity ?? 'ok';
  const word = { ok: 'Healthy', warn: 'Degraded', bad: 'Failing', info: '', idle: '' }[tone];
  return (
    <Badge tone={tone} {...(findings[0] !== undefined && { title: findings[0].title })}>
      {word}
    </Badge>
  );
}

/** When the numbers were read, and by which versions. */
function Meta({ summary, isRead }: { readonly summary: Summary; readonly isRead: boolean }) {
  const { at, readAt, isCurrent, processes, engines } = summary;
  const versions = [
    ...new Set(processes.filter(({ state }) => state !== 'gone').map(({ version }) => version)),
  ];
  const engine = engines.some(({ name }) => name === 'embedded') ? 'Embedded engine' : 'Cluster engine';
  return (
    <>
      <span class="wait">
        {isRead && <span class="pulse" aria-hidden="true" />}
        {isRead ? 'Live, last read' : 'Not live, last read'} <time dateTime={at}>{clockTime(at)}</time>
      </span>
      {!isCurrent && (
        <span>
          Other processes as of <time dateTime={readAt}>{clockTime(readAt)}</time>
        </span>
      )}
      <span>
        {engine}, version {versions.join(', ')}
      </span>
    </>
  );
}

function RangeChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: Range;
  readonly onChoose: (range: Range) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend on the page.
    <div class="segments" role="group" aria-label="Time range">
      {RANGES.map(({ range, label }) => (
        <button key={range} type="button" aria-pressed={range === chosen} onClick={() => onChoose(range)}>
          {label}
        </button>
      ))}
    </div>
  );
}
