import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { percentile } from '../benches/report.ts';

const KIB = 1_024;
const MIB = KIB * KIB;

/** A figure that is read every few seconds, and the growth that is in order. */
interface Rule {
  readonly unit: 'MiB' | 'count';
  /**
   * - `flat`: the median of the last third is at most `factor` times that of the first third, plus `slack`.
   * - `stock`: it grows with each acknowledged request, and in the last third by at most `factor` times as much for each as in
   *   the first third, plus `slack` in all.
   * - `capped`: it is never above `slack`.
   */
  readonly growth: 'flat' | 'stock' | 'capped';
  readonly factor: number;
  readonly slack: number;
  /** The reason for the bound, for the report. */
  readonly why: string;
}

export const RULES = {
  memory: {
    unit: 'MiB',
    growth: 'flat',
    factor: 1.2,
    slack: 64,
    why: 'each process fills caches of a bounded size, which infra/docs/bounds.md lists',
  },
  'file descriptors': {
    unit: 'count',
    growth: 'flat',
    factor: 1,
    slack: 100,
    why: 'connections, one for each request of a burst; a load has at most 100 under way',
  },
  threads: {
    unit: 'count',
    growth: 'flat',
    factor: 1,
    slack: 8,
    why: 'thread pools of a fixed size, whose threads start with their first job',
  },
  'store and log': {
    unit: 'MiB',
    growth: 'stock',
    factor: 1.5,
    slack: 8,
    why: 'keeps what was acknowledged until its retention ends, so each request adds as much as an earlier one',
  },
  'write-ahead log': {
    unit: 'MiB',
    growth: 'capped',
    factor: 1,
    slack: 64,
    why: 'a checkpoint after 16 MiB and the largest transactions beside it; SQLite reuses the file',
  },
  blobs: {
    unit: 'MiB',
    growth: 'stock',
    factor: 1.5,
    slack: 8,
    why: 'keeps files until their retention ends',
  },
} as const satisfies Record<string, Rule>;

export type SeriesName = keyof typeof RULES;

export interface Sample {
  /** Acknowledged requests so far. */
  readonly acknowledged: number;
  readonly values: Readonly<Partial<Record<SeriesName, number>>>;
}

export interface Judged {
  readonly series: SeriesName;
  readonly first: string;
  readonly last: string;
  readonly bound: string;
  readonly holds: boolean;
}

/** Compares the last third of a run with the first third, by the rule of each series. */
export function judge(samples: readonly Sample[]): Judged[] {
  const third = Math.floor(samples.length / 3);
  if (third < 2) throw new Error(`comparing thirds of ${samples.length} samples`);
  const first = samples.slice(0, third);
  const last = samples.slice(-third);
  const names = (Object.keys(RULES) as SeriesName[]).filter((name) => name in (samples[0]?.values ?? {}));
  return names.map((series) => {
    const rule: Rule = RULES[series];
    const { factor, slack, unit, growth } = rule;
    const text = (value: number) => `${Math.round(value * 10) / 10} ${unit === 'MiB' ? unit : ''}`.trim();
    if (growth === 'stock') {
      const [before, after] = [grown(first, series), grown(last, series)];
      const bound = factor * before.each * after.requests + slack;
      const shown = (each: number) => `${((each * MIB) / KIB).toFixed(2)} KiB a request`;
      return {
        series,
        first: shown(before.each),
        last: shown(after.each),
        bound: `${text(bound)} in the last third`,
        holds: after.each * after.requests <= bound,
      };
    }
    if (growth === 'capped') {
      const most = (part: readonly Sample[]) => Math.max(...part.map((each) => figureOf(each, series)));
      const bound = text(slack);
      return {
        series,
        first: text(most(first)),
        last: text(most(last)),
        bound,
        holds: most(samples) <= slack,
      };
    }
    // A burst of the load, or a collection of garbage, is no growth.
    const middle = (part: readonly Sample[]) =>
      percentile(
        part.map((each) => figureOf(each, series)),
        0.5,
      );
    const bound = factor * middle(first) + slack;
    return {
      series,
      first: text(middle(first)),
      last: text(middle(last)),
      bound: text(bound),
      holds: middle(last) <= bound,
    };
  });
}

function grown(part: readonly Sample[], series: SeriesName): { each: number; requests: number } {
  const [from, to] = [part[0], part.at(-1)];
  if (from === undefined || to === undefined)
    throw new Error(`reading the growth of no samples of ${series}`);
  const requests = Math.max(1, to.acknowledged - from.acknowledged);
  return { each: (figureOf(to, series) - figureOf(from, series)) / requests, requests };
}

function figureOf({ values }: Sample, series: SeriesName): number {
  return values[series] ?? 0;
}

/** Reads memory, descriptors and threads of processes together. Null if one of them has ended. Needs `/proc`. */
export function readProcesses(pids: readonly (number | null)[]): Sample['values'] | null {
  const sum = { memory: 0, 'file descriptors': 0, threads: 0 };
  try {
    for (const pid of pids) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const figure = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
      sum.memory += figure('VmRSS') / KIB;
      sum.threads += figure('Threads');
      sum['file descriptors'] += readdirSync(`/proc/${pid}/fd`).length;
    }
  } catch {
    return null;
  }
  return Number.isNaN(sum.memory + sum.threads) ? null : sum;
}

/** The size of a file or of all files in a folder, in MiB; 0 if it does not exist. */
export function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return (stats?.size ?? 0) / MIB;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
