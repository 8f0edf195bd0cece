import { type BenchReport, percentile, say } from '../../../infra/testing/benches/report.ts';

/** A part of a report. */
export type Figures = Pick<BenchReport, 'ours' | 'ratios'>;

/** The values of one round, by their names. */
export type Round = Readonly<Record<string, number>>;

/** The median of each value over all rounds, by its name. */
export function medians(rounds: readonly Round[]): Round {
  const names = Object.keys(rounds[0] ?? {});
  const values = (name: string) => rounds.map((round) => round[name] ?? Number.NaN);
  return Object.fromEntries(names.map((name) => [name, percentile(values(name), 0.5)]));
}

/**
 * The figures of pages in milliseconds, and their ratios to a baseline, which is said and not reported.
 *
 * @param kind stands before the name of each page: `cold` makes `coldKeysMs`
 */
export function besideBaseline(
  kind: string,
  pages: Round,
  baseline: { readonly name: string; readonly ms: number },
): Figures {
  say(`${baseline.name}: ${baseline.ms.toFixed(1)} ms`);
  const entries = Object.entries(pages);
  return {
    ours: Object.fromEntries(entries.map(([page, ms]) => [`${kind}${capital(page)}Ms`, ms])),
    ratios: Object.fromEntries(entries.map(([page, ms]) => [`${baseline.name}-${page}`, ms / baseline.ms])),
  };
}

/** A name as a later part of a longer one. */
export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
