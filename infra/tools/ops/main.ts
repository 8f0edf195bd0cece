// The commands of the operator: one verb of the table a run.
import { StartError } from '../../service/start-error.ts';
import { readCommandLine } from '../command-line.ts';
import { findVerb, programHelp } from './help.ts';
import { readVerbLine } from './read-line.ts';
import { UsageError } from './verb.ts';
import { VERBS } from './verbs.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

async function main(args: readonly string[]): Promise<void> {
  const help = programHelp(VERBS);
  if (args[0]?.startsWith('-')) readCommandLine(help, { args: [...args] });
  if (args.length === 0) throw new UsageError(help.trim());
  const verb = findVerb(VERBS, args);
  const given = readVerbLine(verb, args.slice(verb.name.split(' ').length));
  const run = await verb.load();
  const { data, lines, failed = false } = await run(given);
  const isJson = given.options['json'] === true;
  process.stdout.write(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
  if (failed) process.exitCode = EXIT_FAILED;
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError || error instanceof StartError ? EXIT_USAGE : EXIT_FAILED;
});
