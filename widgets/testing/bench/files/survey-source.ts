import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The repository of the survey, at one commit: git checks every file by its digest. */
export interface SurveySource {
  readonly url: string;
  readonly commit: string;
}

export const SURVEY: SurveySource = {
  url: 'https://github.com/HPI-Information-Systems/Pollock',
  commit: 'c4533b2c0e3fe59d42cbe3936033847aa31d8973',
};

/** Git leaves this folder out. */
export const SURVEY_CACHE: string = join(import.meta.dirname, '../../../../.cache/survey');

/** The folders of the repository that are read. The others are some hundred times as large. */
const FOLDERS = ['survey_sample/csv', 'survey_sample/clean'];

/** Ends a fetch that hangs. */
const FETCH_MS_MAX = 300_000;

/** A checkout of the survey, or the reason for which there is none. */
export type Survey =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'none'; readonly reason: string };

/** Fetches the files of the survey once, and proves at each later run that they are still those of the commit. */
export function fetchSurvey({ url, commit }: SurveySource, cache: string): Survey {
  const folder = join(cache, commit);
  const steps = [
    ...(existsSync(join(folder, '.git'))
      ? []
      : [
          ['init', '-q'],
          ['remote', 'add', 'origin', url],
        ]),
    ...(isFetched(folder, commit)
      ? []
      : [
          ['fetch', '-q', '--depth=1', '--filter=blob:none', 'origin', commit],
          ['checkout', '-q', commit, '--', ...FOLDERS],
        ]),
    ['diff', '--quiet', commit, '--', ...FOLDERS],
  ];
  mkdirSync(folder, { recursive: true });
  for (const words of steps) {
    const fault = git(folder, words);
    if (fault !== null) return { kind: 'none', reason: `git ${words[0]}: ${fault}` };
  }
  return { kind: 'folder', folder };
}

function isFetched(folder: string, commit: string): boolean {
  return existsSync(join(folder, FOLDERS[1] ?? '')) && git(folder, ['cat-file', '-e', commit]) === null;
}

/** Runs git. Returns null, or the first line that it says about a fault. */
function git(folder: string, words: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync('git', ['-C', folder, ...words], {
    encoding: 'utf8',
    timeout: FETCH_MS_MAX,
    // A repository that is not public would ask for a password.
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  if (status === 0) return null;
  const said = `${error?.message ?? ''}${stderr}`.trim().split('\n', 1)[0] ?? '';
  return said === '' ? 'files were changed' : said;
}
