import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
     export default { test: { globals: true, include: ['*.test.mjs'], reporters: [
       new TallyReporter({ tallyFile: process.env.TALLY }),
       { onTestCaseReady: () => process.stdout.write('a test is ready\\n') },
     ] } };`,
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

  it('names the tests that were running when SIGTERM ended it', async () => {
    const run = runVitest({ 'hanging.test.mjs': "it('hangs', () => new Promise(() => {}));" }, (child) =>
      child.stdout?.once('data', () => child.kill('SIGTERM')),
    );
    expect(await run).toMatchObject({ lastLine: 'was running: hanging.test.mjs > hangs', succeeded: false });
  });
});

it('writes its tally where it is told to', async () => {
  const file = join(folder, 'tally.json');
  await runVitest(
    { 'one.test.mjs': "it('a', () => {}); it('b', () => { throw 1; }); it.skip('c');" },
    undefined,
    { TALLY: file },
  );
  const failures = [{ file: 'one.test.mjs', test: 'b' }];
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ passed: 1, skipped: 1, failures });
});

/** Runs the files as a real run would, in a separate process. */
async function runVitest(
  files: Record<string, string>,
  onStart: (child: ChildProcess) => unknown = () => undefined,
  environment: Readonly<Record<string, string>> = {},
) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const cli = join(repository, 'node_modules/vitest/vitest.mjs');
  const args = [cli, 'run', '--root', folder, ...Object.keys(files)];
  const { promise, resolve: settle } = Promise.withResolvers<{
    output: string;
    lastLine: string | undefined;
    succeeded: boolean;
  }>();
  const env = { ...process.env, ...environment };
  const child = execFile(process.execPath, args, { cwd: folder, env }, (error, stdout) => {
    settle({ output: stdout, lastLine: stdout.trimEnd().split('\n').at(-1), succeeded: error === null });
  });
  onStart(child);
  return promise;
}
