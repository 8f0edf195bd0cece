// Prints the figures of a benchmark for people, and with `--json` one line for programs.
import { parseArgs } from 'node:util';

/** The result of a run. Figures depend on the machine and its state, so only ratios are comparable. */
export interface BenchReport {
  readonly bench: string;
  /** Our own figures; each name ends with its unit. */
  readonly ours: Readonly<Record<string, number>>;
  /** Ours over theirs, by the name of what was measured beside it in the same run. */
  readonly ratios: Readonly<Record<string, number>>;
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
export function report({ bench, ours, ratios }: BenchReport): void {
  for (const [name, value] of Object.entries(ours)) say(`${name.padEnd(36)} ${rounded(value)}`);
  for (const [name, value] of Object.entries(ratios)) say(`ratio to ${name.padEnd(27)} ${rounded(value)}`);
  if (!wantsJson()) return;
  process.stdout.write(`${JSON.stringify({ bench, ours: roundedAll(ours), ratios: roundedAll(ratios) })}\n`);
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
