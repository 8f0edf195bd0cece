import { count } from '../../parts/table/numbers.ts';
import type { KeyOverview } from './queries.ts';

const HEIGHT = 22;
/** The pixels of the largest hour. */
const PLOT = 20;
const STEP = 4;
const BAR = 3;

type Calls = KeyOverview['hours'][number];

export function totalOf(hours: readonly Calls[]) {
  const sum = (kind: keyof Calls) => hours.reduce((total, hour) => total + hour[kind], 0);
  return { allowed: sum('allowed'), denied: sum('denied'), refused: sum('refused') };
}

/** Calls by hour as bars. Each has its allowed calls below, then the denied and the refused ones. */
export function Spark({ hours }: { readonly hours: readonly Calls[] }) {
  const { allowed, denied, refused } = totalOf(hours);
  const most = Math.max(1, ...hours.map((hour) => hour.allowed + hour.denied + hour.refused));
  const width = hours.length * STEP - 1;
  return (
    <svg
      class="spark"
      width={width + 1}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={`Last 36 hours: ${count(allowed)} allowed, ${count(denied)} denied, ${count(refused)} refused`}
    >
      {hours.map((hour, at) => (
        <Hour key={at} hour={hour} x={at * STEP} most={most} />
      ))}
    </svg>
  );
}

function Hour({ hour, x, most }: { readonly hour: Calls; readonly x: number; readonly most: number }) {
  const parts = [
    ['ok', hour.allowed],
    ['warn', hour.denied],
    ['bad', hour.refused],
  ] as const;
  if (parts.every(([, calls]) => calls === 0)) {
    return <rect class="none" x={x} y={HEIGHT - 1} width={BAR} height={1} />;
  }
  let top = HEIGHT;
  return (
    <>
      {parts.map(([kind, calls]) => {
        const height = (calls / most) * PLOT;
        top -= height;
        return calls > 0 && <rect key={kind} class={kind} x={x} y={top} width={BAR} height={height} />;
      })}
    </>
  );
}
