import type { Release } from './command.ts';
import type { Next } from './failure.ts';
import { firstHelp } from './first-help.ts';
import { shellLine, startWords } from './output/shell-line.ts';
import { workingDirectory } from './working-directory.ts';

/** Starts a release with the arguments of this process. The first help needs neither the parser nor the commands. */
export async function start(release: Release): Promise<void> {
  const words = process.argv.slice(2);
  const started = startWords(process.argv[1] ?? 'svc', workingDirectory());
  const line = (command: Next): string => shellLine(command, started);
  if (words.length === 1 && (words[0] === '--help' || words[0] === '-h')) {
    // biome-ignore lint/suspicious/noConsole: Loading node:fs to write the text takes longer than making it.
    console.log(firstHelp(release, line));
  } else await (await import('./main.ts')).main(release, words, line);
}
