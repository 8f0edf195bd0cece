import { parseCommandLine } from '../command-line.ts';
import { PROGRAM, usageOf, verbHelp } from './help.ts';
import { type Given, UsageError, type VerbSpec } from './verb.ts';

/**
 * Reads the words and the options that follow the name of a verb, and checks them against the table. With `--help` it prints the
 * help and ends the process.
 *
 * @throws {UsageError} that names the argument, and the values that it can have.
 */
export function readVerbLine(verb: VerbSpec, args: string[]): Given {
  const read = parseOptions(verb, args);
  const { positionals } = read;
  const values: Given['options'] = read.values;
  const words: Record<string, string> = {};
  for (const [index, { name, choices }] of verb.arguments.entries()) {
    const value = positionals[index];
    if (value === undefined || choices?.includes(value) === false) {
      const seen = value === undefined ? 'nothing' : `"${value}"`;
      const expected = choices === undefined ? usageOf(verb) : `one of ${choices.join(', ')}`;
      throw new UsageError(`${name}: seen ${seen}; expected ${expected}`);
    }
    words[name] = value;
  }
  const excess = positionals.slice(verb.arguments.length);
  if (excess.length > 0)
    throw new UsageError(`arguments: seen "${excess.join(' ')}" at the end; expected ${usageOf(verb)}`);
  for (const { name, choices } of verb.options) {
    const value = values[name];
    if (typeof value === 'string' && choices?.includes(value) === false)
      throw new UsageError(`${name}: seen "${value}"; expected one of ${choices.join(', ')}`);
  }
  const isJson = values['json'] === true;
  const say = (line: string) => void (isJson ? process.stderr : process.stdout).write(`${line}\n`);
  return { words, options: values, environment: process.env, say };
}

/** @throws {UsageError} for an option that the verb does not have */
function parseOptions(verb: VerbSpec, args: string[]) {
  const options = verb.options.map(
    ({ name, value }) =>
      [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }] as const,
  );
  try {
    return parseCommandLine(verbHelp(verb), {
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' }, ...Object.fromEntries(options) },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message}. ${PROGRAM} ${verb.name} --help shows the options`);
  }
}
