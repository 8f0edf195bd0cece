import { DAY_MS } from '../../parts/table/time.tsx';

/** A UTC month as the page shows it. */
export interface Month {
  /** "September". */
  readonly name: string;
  /** "Sep". */
  readonly short: string;
  readonly days: number;
  /** The first moment of the next month, in Unix milliseconds. */
  readonly end: number;
  /** The part that has passed, from 0 to 1. */
  readonly passed: number;
}

/** The UTC month of a time in Unix milliseconds. */
export function monthOf(now: number): Month {
  const date = new Date(now);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  const named = (month: 'long' | 'short') => date.toLocaleString('en', { month, timeZone: 'UTC' });
  return {
    name: named('long'),
    short: named('short'),
    days: (end - start) / DAY_MS,
    end,
    passed: (now - start) / (end - start),
  };
}

/** The calls of the whole month at the pace so far, in two or three digits; null without calls and before a day has passed. */
export function paceOf(used: number, { passed, days }: Month): number | null {
  if (used === 0 || passed * days < 1) return null;
  return Number((used / passed).toPrecision(used / passed < 100_000 ? 2 : 3));
}

/** The end of an axis: the next of 2, 4, 10, 20, 40, 100 and so on, so that its half is whole. */
export function axisEnd(most: number): number {
  let scale = 1;
  for (;;) {
    for (const step of [2, 4, 6, 10]) if (most <= step * scale) return step * scale;
    scale *= 10;
  }
}
