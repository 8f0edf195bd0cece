import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkCommits } from './check-commits.ts';
import { git, newCommits } from './git.ts';

const TSCONFIG = JSON.stringify({
  compilerOptions: { module: 'nodenext', noEmit: true, types: [], allowImportingTsExtensions: true },
  include: ['*.ts'],
});
const USER = ['-c', 'user.name=Ada', '-c', 'user.email=ada@commits.example', '-c', 'commit.gpgsign=false'];

let folder: string;
let minutes: number;
beforeEach(() => {
  minutes = 0;
  folder = mkdtempSync(join(tmpdir(), 'svc-commits-test-'));
  git(folder, 'init', '--quiet');
  commit('first', { 'tsconfig.json': TSCONFIG, 'a.ts': "export { b } from './b.ts';\n", 'b.ts': bIs('1') });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('checkCommits', () => {
  const check = async (signal?: AbortSignal) => {
    const lines: string[] = [];
    for await (const { commit, faults, isLeftOut } of checkCommits(folder, newCommits(folder), signal)) {
      lines.push(`${commit.subject}: ${isLeftOut ? 'left out' : (faults[0] ?? 'ok')}`);
    }
    return lines;
  };

  it('names the commit that misses an import, and the one that breaks a type', async () => {
    commit('moves a module', { 'b.ts': null, 'c.ts': bIs('1') });
    commit('imports it from there', { 'a.ts': "export { b } from './c.ts';\n" });
    commit('breaks a type', { 'c.ts': bIs("''") });
    commit('writes a document', { 'README.md': 'b' });
    expect(await check()).toEqual([
      'first: ok',
      expect.stringMatching(/^moves a module: a\.ts\(1,19\): error TS2307: Cannot find module '\.\/b\.ts'/),
      'imports it from there: ok',
      expect.stringMatching(/^breaks a type: c\.ts\(1,14\): error TS2322/),
      'writes a document: ok',
    ]);
  });

  it('rejects a commit that adds more than 5,000 lines, of which generated ones do not count', async () => {
    const lines = 'line\n'.repeat(5_001);
    commit('adds a folder', { 'some.txt': lines });
    commit('generates', { 'some.snap.json': lines, 'some.csv': lines });
    expect((await check()).slice(1)).toEqual([
      'adds a folder: adds 5001 lines: no commit by folder of thousands of lines',
      'generates: ok',
    ]);
  });

  it('leaves out a commit with other dependencies than the newest', async () => {
    commit('updates', { 'package-lock.json': '{}' });
    expect(await check()).toEqual(['first: left out', 'updates: ok']);
  });

  it('leaves no worktree behind, also after an interruption', async () => {
    const before = git(folder, 'worktree', 'list');
    await check();
    expect(git(folder, 'worktree', 'list')).toBe(before);
    await expect(check(AbortSignal.abort())).rejects.toThrow('aborted');
    expect(git(folder, 'worktree', 'list')).toBe(before);
  });
});

describe('newCommits', () => {
  const subjects = (base?: string) => newCommits(folder, base).map(({ subject }) => subject);

  beforeEach(() => {
    minutes = 100;
    commit('second');
    minutes = 300;
    commit('third');
  });

  it('lists the commits after a base', () => {
    expect(subjects('HEAD~1')).toEqual(['third']);
    expect(() => subjects('nowhere')).toThrow('nowhere');
  });

  it('lists the commits that are not in origin/main', () => {
    git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    expect(subjects()).toEqual(['third']);
  });

  it('lists the last four hours if there is no remote, or it has everything', () => {
    expect(subjects()).toEqual(['second', 'third']);
    git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(subjects()).toEqual(['second', 'third']);
  });
});

function bIs(value: string): string {
  return `export const b: number = ${value};\n`;
}

/** Writes files, removes those that are null, and commits. */
function commit(subject: string, files: Readonly<Record<string, string | null>> = {}): void {
  for (const [name, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  vi.stubEnv('GIT_COMMITTER_DATE', `${1_700_000_000 + minutes * 60} +0000`);
  git(folder, 'add', '--all');
  git(folder, ...USER, 'commit', '--quiet', '--allow-empty', '--message', subject);
}
