// Checks that each new commit stands by itself, so that a search for the commit that broke something (git bisect) can stop at each.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';

const HELP = `
npm run test:commits -- [options]

Checks that each new commit resolves its imports, passes the types and adds 1,500 lines at most. It checks them in a temporary worktree
with the packages of this checkout; a commit with another package-lock.json is skipped. It ends with \`N passed, N failed\`.

  --base REV   checks the commits after this one; by default those of the last day, 60 at most
`;

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');
const PROJECTS = ['tsconfig.json', 'widgets/tsconfig.json', 'widgets/testing/tsconfig.json'];
const LINKED = ['node_modules', 'infra/tools/openapi-types/node_modules'];

/** A reader of a larger commit cannot review it. Files that programs write, or that hold data, do not count. */
const ADDED_LINES_MAX = 1_500;
const GENERATED = ['*.snap.json', 'package-lock.json', '*.csv'].map((pattern) => `:(exclude)${pattern}`);

const { base } = readCommandLine(HELP, { options: { base: { type: 'string' } } }).values;
const temporary = mkdtempSync(join(tmpdir(), 'svc-commits-'));
const tree = join(temporary, 'tree');
const counted = { passed: 0, failed: 0 };
git('worktree', 'prune');
git('worktree', 'add', '--quiet', '--detach', tree, 'HEAD');
try {
  for (const path of LINKED.filter((path) => existsSync(join(ROOT, path)))) {
    symlinkSync(join(ROOT, path), join(tree, path));
  }
  const range = base === undefined ? ['--since=1.day', '--max-count=60', 'HEAD'] : [`${base}..HEAD`];
  for (const hash of lines(git('rev-list', '--topo-order', '--reverse', ...range))) check(hash);
} finally {
  git('worktree', 'remove', '--force', tree);
  rmSync(temporary, { recursive: true });
}
process.stdout.write(`${counted.passed} passed, ${counted.failed} failed\n`);
process.exitCode = counted.failed === 0 ? 0 : 1;

function check(hash: string): void {
  const title = git('show', '--no-patch', '--format=%h %s', hash).trimEnd();
  if (git('diff', '--name-only', hash, 'HEAD', '--', 'package-lock.json') !== '') {
    process.stdout.write(`skipped: other packages  ${title}\n`);
    return;
  }
  git('-C', tree, 'checkout', '--quiet', '--detach', '--force', hash);
  const faults = [...sizeFaults(hash), ...typeFaults()];
  counted[faults.length === 0 ? 'passed' : 'failed'] += 1;
  process.stdout.write([`${faults.length === 0 ? 'ok' : 'FAILED'}  ${title}`, ...faults, ''].join('\n'));
}

function sizeFaults(hash: string): string[] {
  const changes = git(
    'show',
    '--diff-merges=first-parent',
    '--format=',
    '--numstat',
    hash,
    '--',
    '.',
    ...GENERATED,
  );
  // A binary file has "-" instead of a number.
  const added = lines(changes).reduce((sum, line) => sum + (Number(line.split('\t')[0]) || 0), 0);
  return added <= ADDED_LINES_MAX ? [] : [`adds ${added} lines`];
}

/** The types of the console are written from the snapshot of the interface first. */
function typeFaults(): string[] {
  const programs = [
    [process.execPath, 'infra/tools/browser/main.ts', '--types'],
    ...PROJECTS.map((project, index) => [
      ...[TSC, '-p', project, '--incremental', '--tsBuildInfoFile'],
      join(temporary, `${index}.tsbuildinfo`),
    ]),
  ];
  return programs.flatMap(([program = '', ...words]) => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: tree, encoding: 'utf8' });
    return status === 0 ? [] : [stdout + stderr];
  });
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
