import { count } from '../../parts/table/numbers.ts';
import { Scroller } from '../../parts/table/scroller.tsx';
import { Shape } from '../../parts/table/state.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { type Change, EVERY_STEP, type FunnelRow, funnelRows, percent, type Summary } from './funnel.ts';
import type { Revision } from './queries.ts';

interface FunnelProps {
  readonly revision: Revision;
  readonly summaries: readonly Summary[];
}

/** The subjects that completed each step of one revision, by cohort. */
export function FunnelSection({ revision, summaries }: FunnelProps) {
  const labels = new Map(revision.configuration.steps.map(({ key, label }) => [key, label]));
  return (
    <section aria-labelledby="funnel">
      <div class="section-head">
        <h2 id="funnel">Funnel</h2>
        <p>Subjects that completed each step, in any order</p>
        <ul class="legend push">
          {summaries.map(({ cohort, enrollments }) => (
            <li key={cohort}>
              <svg class={`swatch ${cohort === 'live' ? 'f1' : 'f5'}`} viewBox="0 0 14 8" aria-hidden="true">
                <rect width="14" height="8" rx="2" />
              </svg>
              {`${cohort}, of ${count(enrollments)}`}
            </li>
          ))}
          <li>
            <svg class="swatch lost" viewBox="0 0 14 8" aria-hidden="true">
              <rect width="14" height="8" rx="2" />
            </svg>
            fewer than before
          </li>
        </ul>
      </div>
      <div class="funnel">
        <Scroller label="Funnel table">
          <table>
            <FunnelHead summaries={summaries} />
            <tbody>
              {funnelRows(summaries).map((row) => (
                <Row key={row.key} row={row} label={labels.get(row.key) ?? row.key} summaries={summaries} />
              ))}
            </tbody>
          </table>
        </Scroller>
      </div>
      {summaries.every(({ enrollments }) => enrollments === 0) && (
        <p class="wait" role="status">
          <span class="pulse" aria-hidden="true" />
          Waiting for the first event of revision {revision.revision}. It appears here automatically.
        </p>
      )}
    </section>
  );
}

const WORDS = { live: 'Live', test: 'Test' } as const;

function FunnelHead({ summaries }: { readonly summaries: readonly Summary[] }) {
  const [first] = summaries;
  return (
    <thead>
      <tr>
        <th scope="col">Step</th>
        {summaries.map(({ cohort }) => (
          <th key={cohort} scope="col" colSpan={2}>
            {WORDS[cohort]}
          </th>
        ))}
        <th scope="col" class="n">
          {`${first === undefined ? '' : WORDS[first.cohort]}, from step before`}
        </th>
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly row: FunnelRow;
  readonly label: string;
  readonly summaries: readonly Summary[];
}

function Row({ row, label, summaries }: RowProps) {
  const isEnd = row.key === EVERY_STEP;
  return (
    <tr>
      <th scope="row">
        {isEnd ? 'Every step' : visibleText(label)}
        <span class="sub">{isEnd ? 'complete' : <code>{row.key}</code>}</span>
      </th>
      {summaries.map((summary, at) => (
        <Bar
          key={summary.cohort}
          completed={row.completed[at] ?? 0}
          lost={row.lost[at] ?? 0}
          of={summary}
          tone={summary.cohort === 'test' ? 'idle' : isEnd ? 'ok' : 'accent'}
        />
      ))}
      <td class="n">
        <ChangeText change={row.change} />
      </td>
    </tr>
  );
}

interface BarProps {
  readonly completed: number;
  readonly lost: number;
  readonly of: Summary;
  readonly tone: 'accent' | 'ok' | 'idle';
}

function Bar({ completed, lost, of: { cohort, enrollments }, tone }: BarProps) {
  const shareOf = (subjects: number) =>
    enrollments === 0 ? 0 : Math.min(100, (subjects / enrollments) * 100);
  return (
    <>
      <td class="at">
        {/* On a phone, where no column has a head. */}
        <span class="cohort" aria-hidden="true">
          {WORDS[cohort]}
        </span>
        <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="lost" width={shareOf(completed + lost)} height="4" />
          <rect class={tone} width={shareOf(completed)} height="4" />
        </svg>
      </td>
      <td class="n">
        {tone === 'idle' ? count(completed) : <b>{count(completed)}</b>}{' '}
        <span class="muted pct">{percent(completed, enrollments)}</span>
      </td>
    </>
  );
}

function ChangeText({ change }: { readonly change: Change | null }) {
  if (change === null) return <span class="muted">–</span>;
  if (!change.warns) return <span class="muted">{change.text}</span>;
  return (
    <span class="count-warn">
      <Shape tone="warn" />
      {change.text}
    </span>
  );
}
