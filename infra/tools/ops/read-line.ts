import { readCommandLine } from '../command-line.ts';
import { usageOf, verbHelp } from './help.ts';
import { type Given, UsageError, type VerbSpec } from './verb.ts';

/**
 * Reads the words and the options that follow the name of a verb, and checks them against the table. Prints help or an unknown
 * option like {@link readCommandLine}.
 *
 * @throws {UsageError} that names the argument, and the values that it can have.
 */
export function readVerbLine(verb: VerbSpec, args: string[]): Given {
  const read = readCommandLine(verbHelp(verb), {
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(
        verb.options.map(({ name, value }) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    },
  });
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
