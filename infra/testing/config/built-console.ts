import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builtState, CLI, CONSOLE, WIDGETS } from '../../tools/browser/digest.ts';

/** Builds what is missing or older than its sources before the tests of a run: console, widgets and command-line tool. */
export function setup(): void {
  if ([CONSOLE, WIDGETS, CLI].every((built) => builtState(built) === 'fresh')) return;
  const program = join(import.meta.dirname, '../../tools/browser/main.ts');
  execFileSync(process.execPath, [program, '--if-stale'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
