import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs the program without a service, and returns the exit code and both streams of the failure. */
async function failing(...words: string[]) {
  const environment = { PATH: process.env['PATH'] ?? '', SVC_DATA_FOLDER: join(tmpdir(), 'no such folder') };
  return await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env: environment }).then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

it.each([
  ['an unknown verb', ['growth', '--json'], 'usage', /^verb: seen "growth"; expected one of /],
  ['an unknown option', ['topics', '--verbose', '--json'], 'usage', /--verbose.+topics --help/s],
  ['a missing word', ['expire', '--json'], 'usage', /^installation: seen nothing; expected /],
  ['a word that cannot be', ['grow', 'imports', '3000', '--json'], 'usage', /^partitions: seen "3000"; /],
  ['a folder without data', ['topics', '--json'], 'settings', /^SVC_DATA_FOLDER: seen /],
])('npm run ops prints %s as one line of JSON where --json asks for it', async (_, words, code, message) => {
  const { code: exitCode, stdout, stderr } = await failing(...words);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({
    error: { code, message: expect.stringMatching(message), retryAfterSeconds: null, exitCode },
  });
});

it('npm run ops gives what fails later the exit code 1, and prints a sentence without --json', async () => {
  const words = ['self-test', '--url', 'http://127.0.0.1:9'];
  const { code, stderr } = await failing(...words, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'failed', exitCode: 1 } });
  const forPeople = await failing(...words);
  expect(forPeople.stderr).toMatch(/^POST http:\/\/127\.0\.0\.1:9\/v1\/agent\/workspaces: no answer \(/);
});
