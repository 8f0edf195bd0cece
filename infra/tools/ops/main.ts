// The commands of the operator: one verb of the table a run.
import { printFailure } from './failure.ts';
import { findVerb, programHelp } from './help.ts';
import { readVerbLine } from './read-line.ts';
import { UsageError } from './verb.ts';
import { VERBS } from './verbs.ts';

const EXIT_FAILED = 1;

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--help') {
    process.stdout.write(programHelp(VERBS));
    return;
  }
  if (args.length === 0) throw new UsageError(programHelp(VERBS).trim());
  const verb = findVerb(VERBS, args);
  const given = readVerbLine(verb, args.slice(verb.name.split(' ').length));
  const run = await verb.load();
  const { data, lines, failed = false } = await run(given);
  const isJson = given.options['json'] === true;
  process.stdout.write(isJson ? `${JSON.stringify(data)}\n` : lines.map((line) => `${line}\n`).join(''));
  if (failed) process.exitCode = EXIT_FAILED;
}

const args = process.argv.slice(2);
await main(args).catch((error: unknown) => {
  process.exitCode = printFailure(error, args.includes('--json'));
});
