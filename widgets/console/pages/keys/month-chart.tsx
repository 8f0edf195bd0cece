import '../../style/plots.css';
import { count } from '../../parts/table/numbers.ts';
import { Shape } from '../../parts/table/state.tsx';
import { Head } from '../../parts/table/table.tsx';
import { axisEnd, type Month } from './month.ts';
import type { KeyOverviews } from './queries.ts';

type Day = KeyOverviews['days'][number];

/** The keys whose days the service adds up. */
const KEYS_SUMMED = 100;

const STEP = 10;
const BAR = 7;
/** The days with a word below them, besides the last one. */
const NAMED_DAYS = [8, 15, 22];

interface MonthChartProps {
  readonly days: readonly Day[];
  /** False if the days miss the calls of some keys. */
  readonly isComplete: boolean;
  readonly month: Month;
}

/** Metered calls by day of the month, with the same numbers as a table. */
export function MonthChart({ days, isComplete, month }: MonthChartProps) {
  const calls = days.map(({ allowed, denied }) => allowed + denied);
  const end = axisEnd(Math.max(0, ...calls));
  const width = month.days * STEP;
  const range = `between ${count(Math.min(...calls))} and ${count(Math.max(...calls))}`;
  return (
    <div class="month">
      <div class="chart" role="img" aria-label={`Calls per day, 1 to ${days.length} ${month.name}, ${range}`}>
        <div class="y" aria-hidden="true">
          <span>{count(end)}</span>
          <span>{count(end / 2)}</span>
          <span>0 calls</span>
        </div>
        <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path class="grid" d={`M0 .5H${width}M0 50H${width}`} />
          {calls.map((value, day) => {
            const height = (value / end) * 100;
            return (
              <rect key={day} class="f1" x={day * STEP + 1.5} y={100 - height} width={BAR} height={height} />
            );
          })}
          <path class="base" d={`M0 100H${width}`} />
        </svg>
        <div class="x" aria-hidden="true">
          <span>1 {month.short}</span>
          {NAMED_DAYS.map((day) => (
            <span key={day}>{day}</span>
          ))}
          <span>{month.days} UTC</span>
        </div>
      </div>
      {!isComplete && (
        <p class="hint reason">
          <Shape tone="warn" />
          <span>
            The days add up {KEYS_SUMMED} keys. More than these had calls this month; the total has them all.
          </span>
        </p>
      )}
      <Numbers days={days} month={month} />
    </div>
  );
}

function Numbers({ days, month }: { readonly days: readonly Day[]; readonly month: Month }) {
  return (
    <details class="numbers">
      <summary>Show as table</summary>
      <table class="dense">
        <Head columns={['Day', ['Allowed', 'n'], ['Denied', 'n']]} />
        <tbody>
          {days.map(({ at, allowed, denied }, day) => (
            <tr key={at}>
              <th scope="row">
                {day + 1} {month.short}
              </th>
              <td class="n">{count(allowed)}</td>
              <td class="n">{count(denied)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
