import { type Disturbance, titlePattern } from './disturbance.ts';

/** The end of one test. */
export interface TestOutcome {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'left out';
}

const COLUMNS = [
  'disturbance',
  'engine',
  'what a user sees',
  'recovers',
  'acknowledged and lost',
  'held',
] as const;

/** Says whether a service was held to what a disturbance promises: one of its tests ran, and all that ran have passed. */
export function resultOf({ test }: Disturbance, outcomes: readonly TestOutcome[]): 'yes' | 'no' | 'left out' {
  const pattern = new RegExp(`^${titlePattern(test.title)}$`);
  const own = outcomes.filter(({ file, title }) => file === test.file && pattern.test(title));
  const run = own.filter(({ status }) => status !== 'left out');
  if (run.some(({ status }) => status === 'failed')) return 'no';
  return run.length > 0 ? 'yes' : 'left out';
}

/** Returns the lines of the table, a row for each disturbance. A row without a passed test claims nothing. */
export function table(disturbances: readonly Disturbance[], outcomes: readonly TestOutcome[]): string[] {
  const rows = disturbances.map((disturbance) => {
    const result = resultOf(disturbance, outcomes);
    const { name, engine, seen, recovers } = disturbance;
    return result === 'yes'
      ? [name, engine, seen, recovers, 'nothing', result]
      : [name, engine, '', '', '', result];
  });
  return aligned([[...COLUMNS], ...rows]);
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
