import '../../style/plots.css';
import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/interface.ts';
import { count, counted } from '../../parts/table/numbers.ts';
import { Head } from '../../parts/table/table.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';
import { Legend } from './legend.tsx';
import { axisEnd } from './month.ts';
import { totalOf } from './spark.tsx';

export type Unit = Schemas['KeyUsage']['unit'];
type Point = Schemas['KeyUsage']['points'][number];

const STEP = 10;
const BAR = 7;

interface CallsChartProps {
  readonly unit: Unit;
  readonly points: readonly Point[];
}

/** The calls of one key by hour or day, with the same numbers as a table. */
export function CallsChart({ unit, points }: CallsChartProps) {
  const end = axisEnd(Math.max(0, ...points.map(sumOf)));
  const width = points.length * STEP;
  const all = totalOf(points);
  const total = sumOf(all);
  const [pointed, point] = useState<number | null>(null);
  const shown = pointed === null ? undefined : points[pointed];
  return (
    <div class="month">
      <div class="row between readout">
        <span class="num">
          {shown === undefined ? `${counted(total, 'call')} in all` : periodOf(shown.at, unit)}
        </span>
        <Legend calls={shown ?? all} />
      </div>
      <div class="chart" role="img" aria-label={`${count(total)} calls by ${unit}`}>
        <div class="y" aria-hidden="true">
          <span>{count(end)}</span>
          <span>{count(end / 2)}</span>
          <span>0 calls</span>
        </div>
        <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path class="grid" d={`M0 .5H${width}M0 50H${width}`} />
          {points.map((each, at) => (
            <g
              key={each.at}
              class="period"
              onPointerEnter={() => point(at)}
              onPointerLeave={() => point(null)}
            >
              <rect class="reach" x={at * STEP} width={STEP} height="100" />
              <Bar point={each} x={at * STEP + 1.5} end={end} />
            </g>
          ))}
          <path class="base" d={`M0 100H${width}`} />
        </svg>
        <div class="x" aria-hidden="true">
          <span>{points[0] !== undefined && absoluteTime(points[0].at)}</span>
          <span>now</span>
        </div>
      </div>
      <Numbers unit={unit} points={points} />
    </div>
  );
}

/** `27 Nov, 13:00 UTC`, or `27 Nov`. */
function periodOf(at: string, unit: Unit): string {
  const time = absoluteTime(at);
  return unit === 'hour' ? time : (time.split(',')[0] ?? time);
}

function sumOf({ allowed, denied, refused }: Omit<Point, 'at'>): number {
  return allowed + denied + refused;
}

function Bar({ point, x, end }: { readonly point: Point; readonly x: number; readonly end: number }) {
  const parts = [
    ['f1', point.allowed],
    ['tone-fill-warn', point.denied],
    ['tone-fill-bad', point.refused],
  ] as const;
  let top = 100;
  return (
    <>
      {parts.map(([fill, calls]) => {
        const height = (calls / end) * 100;
        top -= height;
        return calls > 0 && <rect key={fill} class={fill} x={x} y={top} width={BAR} height={height} />;
      })}
    </>
  );
}

function Numbers({ unit, points }: CallsChartProps) {
  return (
    <details class="numbers">
      <summary>Show as table</summary>
      <table class="dense">
        <Head
          columns={[unit === 'hour' ? 'Hour' : 'Day', ['Allowed', 'n'], ['Denied', 'n'], ['Refused', 'n']]}
        />
        <tbody>
          {points.map(({ at, allowed, denied, refused }) => (
            <tr key={at}>
              <th scope="row">{periodOf(at, unit)}</th>
              <td class="n">{count(allowed)}</td>
              <td class="n">{count(denied)}</td>
              <td class="n">{count(refused)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
