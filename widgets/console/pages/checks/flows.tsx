import type { Schemas } from '../../api/interface.ts';
import { State, type Tone } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { type FlowLines, flowLines, type StepLine } from './flow-lines.ts';
import type { Run, Suite } from './queries.ts';
import { isOpen } from './run-pace.ts';
import { milliseconds } from './run-state.ts';

type StepResult = Schemas['CheckFlowResult']['steps'][number];

const STATUSES: Readonly<Record<StepResult['status'], { readonly word: string; readonly tone: Tone }>> = {
  passed: { word: 'Passed', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
  skipped: { word: 'Skipped', tone: 'idle' },
};

/** The flows of a run, each with its steps in words and their times. */
export function FlowSections({ run, suite }: { readonly run: Run; readonly suite: Suite | undefined }) {
  const flows = flowLines(run.flows, suite);
  if (flows.length === 0) return null;
  return (
    <>
      {flows.map((flow, at) => (
        <section key={flow.name} aria-labelledby={`flow-${at}`}>
          <div class="section-head">
            <h2 id={`flow-${at}`}>{visibleText(flow.name)}</h2>
            <p>{flowNote(flow, run)}</p>
          </div>
          <StepsTable flow={flow} />
        </section>
      ))}
    </>
  );
}

function flowNote({ durationMs }: FlowLines, run: Run): string {
  if (isOpen(run)) return 'Not run yet';
  if (durationMs === null) return 'Not run';
  return durationMs === 0 ? 'Skipped' : `Took ${milliseconds(durationMs)}`;
}

function StepsTable({ flow }: { readonly flow: FlowLines }) {
  const total = Math.max(1, ...flow.lines.map(({ startMs, durationMs }) => startMs + durationMs));
  return (
    <Table
      label={`Steps of ${visibleText(flow.name)}`}
      class="steps"
      columns={['Step', 'State', ['Time', 'n'], { hidden: 'Timeline', class: 'timeline' }]}
    >
      <tbody>
        {flow.lines.map((line, at) => (
          <StepRow key={at} line={line} total={total} />
        ))}
      </tbody>
    </Table>
  );
}

/** The least width of a step in the timeline, in hundredths of it. */
const LEAST_WIDTH = 1;

function StepRow({ line, total }: { readonly line: StepLine; readonly total: number }) {
  const { asked, seen, status, durationMs, startMs } = line;
  const shown = status === null ? null : STATUSES[status];
  const hasTime = status === 'passed' || status === 'failed';
  return (
    <tr class={status === 'skipped' ? 'ended' : undefined}>
      <th scope="row" class="wrap">
        {asked}
        {seen !== null && <span class="sub">{visibleText(seen)}</span>}
      </th>
      <td>
        {shown === null ? <span class="muted">none yet</span> : <State tone={shown.tone}>{shown.word}</State>}
      </td>
      <td class="n">{hasTime ? milliseconds(durationMs) : <span class="muted">none</span>}</td>
      <td class="timeline">
        {hasTime && (
          <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect
              class={status === 'failed' ? 'bad' : undefined}
              x={Math.min(100 - LEAST_WIDTH, (100 * startMs) / total)}
              width={Math.max(LEAST_WIDTH, (100 * durationMs) / total)}
              height="4"
            />
          </svg>
        )}
      </td>
    </tr>
  );
}
