// Checks that each new commit stands by itself.
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';
import { type CheckedCommit, checkCommits } from './check-commits.ts';
import { newCommits } from './git.ts';

const HELP = `
npm run test:commits -- [options]

Checks that each new commit resolves its imports, passes the types and adds 5,000 lines at most, so that git bisect can stop at
each. It checks commits, not uncommitted changes, in a temporary worktree with the packages of this checkout. A commit with
another package-lock.json is left out. It ends with \`N passed, N failed\`.

  --base REV   checks the commits after this one. By default it checks those that are neither in the upstream nor in origin/main;
               if there are none, or no remote, the commits of the last four hours before the newest, 60 at most
`;

const ROOT = join(import.meta.dirname, '../../..');

const { base } = readCommandLine(HELP, { options: { base: { type: 'string' } } }).values;
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function main(): Promise<number> {
  let passed = 0;
  let failed = 0;
  for await (const checked of checkCommits(ROOT, newCommits(ROOT, base), interrupted.signal)) {
    if (checked.faults.length > 0) failed += 1;
    else if (!checked.isLeftOut) passed += 1;
    process.stdout.write(lineOf(checked));
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

function lineOf({ commit: { hash, subject }, seconds, faults, isLeftOut }: CheckedCommit): string {
  const end = isLeftOut ? 'left out: other dependencies' : faults.length === 0 ? 'ok' : 'FAILED';
  const line = `${hash.slice(0, 7)} ${seconds.toFixed(1).padStart(5)} s  ${end}  ${subject}`;
  return [line, ...faults.map((fault) => `    ${fault}`), ''].join('\n');
}
