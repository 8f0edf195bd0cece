import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isTrackedByGit } from './git-index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A repository with a project in a folder of it, and files beside and below `.svc`. */
function repository(...options: readonly string[]) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'svc-git-')));
  folders.push(path);
  const git = (...words: string[]) => execFileSync('git', ['-C', path, ...words], { stdio: 'ignore' });
  git('init', ...options);
  for (const project of ['app', 'app/sub']) mkdirSync(join(path, project, '.svc'), { recursive: true });
  for (const name of ['app/.style', 'app/.svc/a', 'app/.svc/b', 'app/.svd', 'app/sub/.svc/a', 'ä'])
    writeFileSync(join(path, name), '');
  return { path, git };
}

describe('isTrackedByGit', () => {
  it.each(['2', '4'])('finds files of the folder in an index of version %s', (version) => {
    const { path, git } = repository();
    const folder = join(path, 'app/.svc');
    git('update-index', '--add', '--index-version', version, 'ä', 'app/.style', 'app/.svd', 'app/sub/.svc/a');
    expect(isTrackedByGit(folder)).toBe(false);
    git('add', '--force', 'app/.svc/b');
    expect(isTrackedByGit(folder)).toBe(true);
    expect(isTrackedByGit(join(path, 'app/sub/.svc'))).toBe(true);
  });

  it.each(['2', '4'])('reads an index of version %s with SHA-256', (version) => {
    const { path, git } = repository('--object-format=sha256');
    git('update-index', '--add', '--index-version', version, 'ä', 'app/.style', 'app/.svd');
    expect(isTrackedByGit(join(path, 'app/.svc'))).toBe(false);
    git('add', '--force', 'app/.svc/b');
    expect(isTrackedByGit(join(path, 'app/.svc'))).toBe(true);
  });

  it.each(['sha1', 'sha256'])('reads a split index with its shared file, and %s', (format) => {
    const { path, git } = repository(`--object-format=${format}`);
    const [folder, below] = [join(path, 'app/.svc'), join(path, 'app/sub/.svc')];
    const others = Array.from({ length: 200 }, (_, index) => `app/.other-${index}`);
    for (const name of others) writeFileSync(join(path, name), '');
    git('add', '--force', ...others, 'app/.svc/a', 'app/.svc/b');
    git('update-index', '--split-index');
    expect([isTrackedByGit(folder), isTrackedByGit(below)]).toEqual([true, false]);
    // Each entry is changed or removed in the index only; the shared file stays as it is.
    git('-c', 'splitIndex.maxPercentChange=100', 'rm', '--cached', 'app/.svc/b', ...others.slice(0, 150));
    expect(isTrackedByGit(folder)).toBe(true);
    git('-c', 'splitIndex.maxPercentChange=100', 'rm', '--cached', 'app/.svc/a');
    expect(isTrackedByGit(folder)).toBe(false);
    git('-c', 'splitIndex.maxPercentChange=100', 'add', '--force', 'app/sub/.svc/a');
    expect([isTrackedByGit(folder), isTrackedByGit(below)]).toEqual([false, true]);
  });

  it('reads the index of a worktree', () => {
    const { path, git } = repository();
    git('add', '--force', 'app/.svc/b');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'a');
    git('worktree', 'add', 'tree');
    expect(isTrackedByGit(join(path, 'tree/app/.svc'))).toBe(true);
    expect(isTrackedByGit(join(path, 'tree/.svc'))).toBe(false);
  });

  it('finds nothing outside of a repository, and in what is no index', () => {
    const { path } = repository();
    expect(isTrackedByGit(join(path, 'app/.svc'))).toBe(false);
    writeFileSync(join(path, '.git/index'), 'DIRC\0\0\0\u0002\0\0\0\u0009short');
    expect(isTrackedByGit(join(path, 'app/.svc'))).toBe(false);
    expect(isTrackedByGit(join(tmpdir(), '.svc'))).toBe(false);
  });
});
