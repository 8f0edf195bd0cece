import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const repository = resolve(import.meta.dirname, '../../..');
const reporter = pathToFileURL(join(import.meta.dirname, 'tally-reporter.ts')).href;

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tally-'));
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `import { TallyReporter } from '${reporter}';
     export default { test: { globals: true, include: ['*.test.mjs'], reporters: [new TallyReporter()] } };`,
  );
});

afterAll(() => rm(folder, { recursive: true }));

describe('the last line of a run', () => {
  it('counts what passed, what failed and what was skipped', async () => {
    const run = await runVitest({
      'counts.test.mjs': "it('a', () => {}); it('b', () => { throw 1; }); it.skip('c');",
    });
    expect(run).toMatchObject({ lastLine: '1 passed, 1 failed, 1 skipped', succeeded: false });
  });

  it('names no skipped tests when there are none', async () => {
    const run = await runVitest({
      'good.test.mjs': "it('a', () => {}); describe('s', () => { it('b', () => {}); });",
    });
    expect(run).toMatchObject({ lastLine: '2 passed, 0 failed', succeeded: true });
  });

  it('counts a file that cannot be loaded', async () => {
    const run = await runVitest({ 'broken.test.mjs': "throw new Error('loading')" });
    expect(run).toMatchObject({ lastLine: '0 passed, 1 failed', succeeded: false });
  });

  it('counts a hook that fails', async () => {
    const run = await runVitest({
      'hook.test.mjs':
        "describe('s', () => { afterAll(() => { throw new Error('cleaning up'); }); it('a', () => {}); });",
    });
    expect(run).toMatchObject({ lastLine: '1 passed, 1 failed', succeeded: false });
  });

  it('counts an error outside of every test', async () => {
    const run = await runVitest({
      'stray.test.mjs': "it('a', async () => { Promise.reject(new Error('straying')); });",
    });
    expect(run).toMatchObject({ lastLine: '1 passed, 1 failed', succeeded: false });
  });
});

/** Runs the files as a real run would, in a separate process. */
async function runVitest(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const cli = join(repository, 'node_modules/vitest/vitest.mjs');
  const names = Object.keys(files);
  const { promise, resolve: settle } = Promise.withResolvers<{
    output: string;
    lastLine: string | undefined;
    succeeded: boolean;
  }>();
  execFile(process.execPath, [cli, 'run', '--root', folder, ...names], { cwd: folder }, (error, stdout) => {
    settle({ output: stdout, lastLine: stdout.trimEnd().split('\n').at(-1), succeeded: error === null });
  });
  return promise;
}
