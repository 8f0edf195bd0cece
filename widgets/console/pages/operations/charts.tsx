import { useQuery } from '@tanstack/preact-query';
import { CHECK_FAST_MS } from '../../../../schemas/operations/objectives.ts';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { count } from '../../parts/table/numbers.ts';
import { LineChart } from './line-chart.tsx';
import { highest } from './lines.ts';
import { type History, historyQuery, type Range } from './queries.ts';

/** Lines that a chart of topics has. */
const TOPICS_MAX = 4;

/** Requests, latency, lag and age over a range. */
export function Charts({ range }: { readonly range: Range }) {
  const history = useQuery(historyQuery(range));
  const { data } = history;
  return (
    <>
      <ReadProblem query={history} title="The numbers over time could not be read" />
      {data === undefined ? <ChartsSkeleton /> : <All history={data} />}
    </>
  );
}

function ChartsSkeleton() {
  return (
    <div class="halves skeleton charts" aria-busy="true">
      {[1, 2, 3, 4].map((each) => (
        <div key={each} class="bone" />
      ))}
    </div>
  );
}

function All({ history: { times, checks, others, topics } }: { readonly history: History }) {
  const errors = checks.errorsPerSecond.map((value, index) => added(value, others.errorsPerSecond[index]));
  const most = (of: 'lag' | 'ageMs') =>
    [...topics]
      .sort((left, right) => highest([right[of]]) - highest([left[of]]))
      .slice(0, TOPICS_MAX)
      .map((topic) => ({
        name: topic.topic,
        values: topic[of].map((value) => (of === 'lag' || value === null ? value : value / 1_000)),
        isCode: true as const,
      }));
  return (
    <div class="halves charts">
      <LineChart
        title="Lag by topic"
        unit="records"
        times={times}
        lines={most('lag')}
        isWhole
        show={count}
        also={topics.length > TOPICS_MAX && <li>the {TOPICS_MAX} highest</li>}
      />
      <LineChart
        title="Rate-limit check, latency"
        unit="milliseconds"
        times={times}
        lines={[
          { name: '99th percentile', values: checks.p99Ms },
          { name: 'median', values: checks.medianMs },
        ]}
        goal={CHECK_FAST_MS}
        show={tenths}
      />
      <LineChart
        title="Age of the oldest record"
        unit="seconds"
        times={times}
        lines={most('ageMs')}
        show={tenths}
        also={topics.length > TOPICS_MAX && <li>the {TOPICS_MAX} highest</li>}
      />
      <LineChart
        title="Requests"
        unit="per second"
        times={times}
        lines={[
          { name: 'rate-limit checks', values: checks.perSecond },
          { name: 'others', values: others.perSecond },
          { name: 'errors', values: errors },
        ]}
        show={tenths}
      />
    </div>
  );
}

function added(left: number | null, right: number | null | undefined): number | null {
  return left === null || right === null || right === undefined ? null : left + right;
}

/** `7.1`, `0.02`, `1,284`. */
function tenths(value: number): string {
  return count(value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
}
