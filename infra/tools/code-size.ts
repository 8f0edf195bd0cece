// Prints the lines of each folder by kind, and how they have changed since the commit that set the version of package.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from '../service/version.ts';
import { readCommandLine } from './command-line.ts';

const HELP = `
npm run check

Its last part prints the lines of production code, of tests and of documents in each folder, and the difference to the latest version.
`;

const ROOT = join(import.meta.dirname, '../..');
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const KINDS = ['production', 'tests', 'documents'] as const;
type Kind = (typeof KINDS)[number];

/** Returns the kind of a file, or null for what a person does not write: snapshots, data, settings of tools. */
function kindOf(path: string): Kind | null {
  if (path.endsWith('.md')) return 'documents';
  if (!/\.(?:tsx?|mjs|css|lua)$/.test(path)) return null;
  return /\.(?:test|fixture)\.tsx?$|(?:^|\/)testing\//.test(path) ? 'tests' : 'production';
}

/** Returns the folder that a file counts for: one of the top level, or of `widgets` or `infra`. */
function folderOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/');
  if (second === '') return '(root)';
  return rest.length > 0 && (first === 'widgets' || first === 'infra') ? `${first}/${second}` : first;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX });
}

type Counts = Record<Kind, { lines: number; change: number }>;

const zero = (): Counts => ({
  production: { lines: 0, change: 0 },
  tests: { lines: 0, change: 0 },
  documents: { lines: 0, change: 0 },
});

/** Counts the tracked files that exist; those changed and not committed count as they are. */
function countLines(counts: (path: string) => Counts): void {
  for (const path of git('ls-files', '-z').split('\0')) {
    const kind = kindOf(path);
    const file = join(ROOT, path);
    if (kind === null || !existsSync(file)) continue;
    counts(path)[kind].lines += readFileSync(file, 'utf8').split('\n').length - 1;
  }
}

/** Counts what was added and removed since a commit. A file that moved was removed in one folder and added in another. */
function countChanges(counts: (path: string) => Counts, commit: string): void {
  const lines = git('diff', '--numstat', '--no-renames', '-z', commit).split('\0');
  for (const line of lines) {
    const [added, removed, path = ''] = line.split('\t');
    const kind = kindOf(path);
    if (kind === null) continue;
    counts(path)[kind].change += Number(added) - Number(removed);
  }
}

/** Returns the commit that set the version, or null where the history does not reach that far. */
function releaseCommit(): string | null {
  try {
    const commit = git('log', '-1', '--format=%H', '-G^  "version":', '--', 'package.json').trim();
    const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
    return commit === '' || isShallow ? null : commit;
  } catch {
    // An archive of the sources has no history.
    return null;
  }
}

function cells(counts: Counts, isCompared: boolean): string {
  return KINDS.map((kind) => {
    const { lines, change } = counts[kind];
    const signed = change > 0 ? `+${change}` : `${change}`;
    return `${lines}`.padStart(10) + (isCompared ? signed.padStart(8) : '');
  }).join('');
}

readCommandLine(HELP, {});
if (!existsSync(join(ROOT, '.git'))) process.exit();
const folders = new Map<string, Counts>();
const total = zero();
const release = releaseCommit();
const countsOf = (path: string): Counts => {
  const folder = folderOf(path);
  const counts = folders.get(folder) ?? zero();
  folders.set(folder, counts);
  return counts;
};
countLines(countsOf);
if (release !== null) countChanges(countsOf, release);
for (const counts of folders.values()) {
  for (const kind of KINDS) {
    total[kind].lines += counts[kind].lines;
    total[kind].change += counts[kind].change;
  }
}
const isCompared = release !== null;
const head = KINDS.map((kind) => kind.padStart(10) + (isCompared ? 'change'.padStart(8) : '')).join('');
const since = isCompared ? `since ${readVersion()}` : 'lines';
process.stdout.write(`${since.padEnd(24)}${head}\n`);
for (const [folder, counts] of [...folders].sort(([left], [right]) => left.localeCompare(right))) {
  process.stdout.write(`${folder.padEnd(24)}${cells(counts, isCompared)}\n`);
}
process.stdout.write(`${'all'.padEnd(24)}${cells(total, isCompared)}\n`);
