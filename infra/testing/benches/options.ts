// Reads the command line of a benchmark.
import type { ParseArgsConfig } from 'node:util';
import { readCommandLine } from '../../tools/command-line.ts';
import { say } from './report.ts';

/** The options of every benchmark. */
const SHARED = {
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

const SHARED_HELP = `  --quick          proves in seconds that the benchmark works; its figures mean nothing, and no target fails it
  --json           ends with one line for programs`;

/**
 * Reads the options of a benchmark, and the two that every benchmark has. With `--help` or an unknown option it ends the process.
 *
 * @param help as {@link readCommandLine} takes it, without the shared options; it ends with an empty line if it has no options
 */
export function readBenchOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  help: string,
  options: Options,
) {
  return readCommandLine(help + SHARED_HELP, { options: { ...options, ...SHARED } }).values;
}

/**
 * Ends a run on a machine that lacks what the benchmark needs. Only a quick run passes, and on CI none: a run that measured nothing
 * would prove nothing there.
 */
export function endWithout(missing: string, { quick }: { readonly quick: boolean }): never {
  say(`measures nothing: ${missing}`);
  process.exit(quick && (process.env['CI'] ?? '') === '' ? 0 : 1);
}
