import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builtState, CLI, CONSOLE, SITE, WIDGETS } from '../../tools/browser/digest.ts';

/** Builds what is missing or older than its sources before the tests of a run: console, widgets, command-line tool and documentation. */
export function setup(): void {
  if ([CONSOLE, WIDGETS, CLI, SITE].every((built) => builtState(built) === 'fresh')) return;
  const program = join(import.meta.dirname, '../../tools/browser/main.ts');
  execFileSync(process.execPath, [program, '--if-stale'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
