import { execFileSync } from 'node:child_process';

const SECONDS_OF_HOURS = 4 * 60 * 60;
const RECENT_MAX = 60;

/** Enough for the errors of a commit that breaks everything. */
export const OUTPUT_BYTES_MAX = 2 ** 28;

export interface Commit {
  readonly hash: string;
  readonly subject: string;
}

/** Runs git in a folder. Returns its output without the last line end. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd();
}

/** Runs git in a folder. Returns null if it fails: there is no such revision, or no such file in it. */
export function tryGit(folder: string, ...args: readonly string[]): string | null {
  try {
    return git(folder, ...args);
  } catch {
    return null;
  }
}

/**
 * Lists the new commits of the current branch, the oldest first: those after `base`. By default they begin where the branch left
 * the one that it is pushed to. A branch that is pushed already, and a repository without a remote, have no such point. There
 * the commits of the last four hours before the newest are new, sixty at most.
 *
 * @throws {Error} if there is no such base
 */
export function newCommits(folder: string, base?: string): Commit[] {
  const start = base ?? startOfBranch(folder);
  if (start !== null) return commitsOf(folder, `${start}..HEAD`);
  const recent = commitsOf(folder, `--max-count=${RECENT_MAX}`);
  const newest = recent.at(-1)?.committedAt ?? 0;
  return recent.filter(({ committedAt }) => committedAt >= newest - SECONDS_OF_HOURS);
}

function startOfBranch(folder: string): string | null {
  const head = git(folder, 'rev-parse', 'HEAD');
  for (const branch of ['@{upstream}', 'origin/main', 'origin/HEAD']) {
    const start = tryGit(folder, 'merge-base', 'HEAD', branch);
    if (start !== null && start !== head) return start;
  }
  return null;
}

interface DatedCommit extends Commit {
  /** Seconds since 1970. */
  readonly committedAt: number;
}

function commitsOf(folder: string, range: string): DatedCommit[] {
  const lines = git(folder, 'log', '--topo-order', '--reverse', '--format=%H %ct %s', range).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', committedAt, ...subject] = line.split(' ');
      return { hash, committedAt: Number(committedAt), subject: subject.join(' ') };
    });
}
