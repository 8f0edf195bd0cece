// Prints the figures of a benchmark for people, and with `--json` one line for programs.
import { parseArgs } from 'node:util';

/** The bound that a figure has to keep, itself included. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** The result of a run. Figures depend on the machine and its state, so only ratios are comparable. */
export interface BenchReport {
  readonly bench: string;
  /** Our own figures; each name ends with its unit. */
  readonly ours: Readonly<Record<string, number>>;
  /** Ours over theirs, by the name of what was measured beside it in the same run. */
  readonly ratios: Readonly<Record<string, number>>;
  /** By the name of a figure or a ratio. A target without its figure was not measured. */
  readonly targets?: Readonly<Record<string, Target>>;
}

/** Figures keep this many significant digits: more would be noise. */
const SIGNIFICANT_DIGITS = 4;

/** True if the command line has `--json`. Each benchmark parses its other options itself. */
export function wantsJson(): boolean {
  return (
    parseArgs({ options: { json: { type: 'boolean', default: false } }, strict: false }).values.json === true
  );
}

/** Writes a line for people: to standard error where standard output belongs to a program. */
export function say(line: string): void {
  (wantsJson() ? process.stderr : process.stdout).write(`${line}\n`);
}

/** Writes what a run measured; with `--json` it is the last line of standard output. */
export function report({ bench, ours, ratios, targets = {} }: BenchReport): void {
  const line = (label: string, name: string, value: number): void => {
    const target = targets[name];
    const against = target === undefined ? '' : `  (${verdictOf(target, value)})`;
    say(`${label.padEnd(36)} ${rounded(value)}${against}`);
  };
  for (const [name, value] of Object.entries(ours)) line(name, name, value);
  for (const [name, value] of Object.entries(ratios)) line(`ratio to ${name}`, name, value);
  if (!wantsJson()) return;
  const measured = { bench, ours: roundedAll(ours), ratios: roundedAll(ratios), targets };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

/** For example `target at least 0.4: not met`. */
export function verdictOf(target: Target, value: number): string {
  const [bound, isMet] =
    'atLeast' in target
      ? [`at least ${target.atLeast}`, value >= target.atLeast]
      : [`at most ${target.atMost}`, value <= target.atMost];
  return `target ${bound}: ${isMet ? 'met' : 'not met'}`;
}

/** The value below which `share` (0 to 1) of the values lie, by the nearest rank. Throws for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('ranking no values');
  return value;
}

function roundedAll(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)]));
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
