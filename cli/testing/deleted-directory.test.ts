import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bundleOf, RUNTIMES } from './bundles.fixture.ts';

const VERSION = '0.4.0';

describe.each(RUNTIMES)('a working directory that was deleted, on $runtime', ({ program }) => {
  /** Runs a command in a folder that its shell has removed. */
  async function run(...words: readonly string[]) {
    const line = 'folder=$(mktemp -d) && cd "$folder" && rmdir "$folder" && exec "$@"';
    const child = spawn('sh', ['-c', line, 'sh', program, bundleOf(VERSION), ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { stdout, stderr, code };
  }

  it.each([['workspace', 'status'], ['workspace', 'status', '--directory', '/'], ['mcp']])(
    'is a failure of usage, in one sentence: %s',
    async (...words) => {
      expect(await run(...words)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'error: The working directory does not exist or cannot be read. Change to another one. (usage)\n',
      });
    },
  );

  it('is one JSON document with --json', async () => {
    const { code, stdout, stderr } = await run('workspace', 'status', '--json');
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'usage', exitCode: 2, next: null });
  });

  it('leaves the help and the version', async () => {
    expect((await run('--help')).stdout).toMatch(/^Usage: svc /);
    expect((await run('--version')).stdout).toBe(`${VERSION}\n`);
  });
});
