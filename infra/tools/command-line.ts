import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';

const EXIT_USAGE = 2;

/**
 * Reads the arguments of this program. With `--help` it prints the help and ends the process; with an argument that the program
 * does not know it prints what is wrong and the help, and ends the process with 2.
 *
 * @param help the first line is `npm run NAME -- OPTIONS`; then what the program does, and one line for each option
 */
export function readCommandLine<const Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseCommandLine(help, config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${help.trim()}\n`);
    process.exit(EXIT_USAGE);
  }
}

/**
 * Like {@link readCommandLine}, for a program that prints what is wrong in its own form.
 *
 * @throws {TypeError} for an argument that the program does not know
 */
export function parseCommandLine<const Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const { args = process.argv.slice(2) } = config;
  if (args.includes('--help')) {
    process.stdout.write(`${help.trim()}\n`);
    process.exit();
  }
  return parseArgs(config);
}

/** Returns the positive number that an option is given. Ends the process with 2, and says so, where it is none. */
export function positiveOption(option: string, text: unknown): number {
  const parsed = z.coerce.number().positive().safeParse(text);
  if (parsed.success) return parsed.data;
  process.stderr.write(`--${option}: expected a positive number, seen ${JSON.stringify(text)}\n`);
  process.exit(EXIT_USAGE);
}
