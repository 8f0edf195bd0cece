import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchSurvey } from './survey-source.ts';

const FILE = 'survey_sample/csv/a.csv';

/** A repository with one surveyed file, and an empty cache. */
function published() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-survey-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const repository = join(folder, 'repository');
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
      encoding: 'utf8',
    }).trim();
  for (const name of ['csv', 'clean']) {
    mkdirSync(join(repository, 'survey_sample', name), { recursive: true });
    writeFileSync(join(repository, 'survey_sample', name, 'a.csv'), 'id\n1\n');
  }
  git('init', '-q');
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  git('add', '.');
  git('commit', '-qm', 'survey');
  return {
    source: { url: `file://${repository}`, commit: git('rev-parse', 'HEAD') },
    cache: join(folder, 'cache'),
  };
}

describe('fetchSurvey', () => {
  it('fetches the files of the commit, and reads them without the repository later', () => {
    const { source, cache } = published();
    const first = fetchSurvey(source, cache);
    if (first.kind === 'none') throw new Error(first.reason);
    expect(readFileSync(join(first.folder, FILE), 'utf8')).toBe('id\n1\n');
    rmSync(source.url.slice('file://'.length), { recursive: true });
    expect(fetchSurvey(source, cache)).toEqual(first);
  });

  it('takes no file that differs from the one of the commit', () => {
    const { source, cache } = published();
    const first = fetchSurvey(source, cache);
    if (first.kind === 'none') throw new Error(first.reason);
    writeFileSync(join(first.folder, FILE), 'id\n2\n');
    expect(fetchSurvey(source, cache)).toEqual({ kind: 'none', reason: 'git diff: files were changed' });
  });

  it('says why there is no survey, and fetches it once the repository is there', () => {
    const { source, cache } = published();
    const absent = { ...source, url: `${source.url}-elsewhere` };
    expect(fetchSurvey(absent, join(cache, 'b'))).toEqual({
      kind: 'none',
      reason: expect.stringContaining('elsewhere'),
    });
    expect(fetchSurvey({ ...source, commit: '0'.repeat(40) }, cache)).toMatchObject({ kind: 'none' });
    expect(fetchSurvey(source, cache)).toMatchObject({ kind: 'folder' });
  });
});
