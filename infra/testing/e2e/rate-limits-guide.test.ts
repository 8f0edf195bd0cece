import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWithClient } from '../../docs/guide-code.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { ServiceInProcess } from './service-in-process.fixture.ts';

const run = promisify(execFile);

const guide = readFileSync(new URL('../../docs/rate-limits.md', import.meta.url), 'utf8');

/** The first block of the guide in this language. */
function blockIn(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide) ?? [];
  if (block === undefined) throw new Error(`expecting a block of ${language}`);
  return block;
}

let service: ServiceInProcess;
let folder: string;
let key: string;
beforeAll(async () => {
  folder = folderWithClient();
  service = await ServiceInProcess.start();
});
afterAll(async () => {
  await service.dispose();
  rmSync(folder, { recursive: true });
});

describe('the guide to rate limits', () => {
  /** Runs the pasted lines. Returns the answer to their check, which they print. */
  async function paste(): Promise<unknown> {
    const script = blockIn('sh')
      .replace('http://127.0.0.1:8787', service.url)
      .replace('.data/set-up-link', join(service.folder, 'data', 'set-up-link'));
    const { stdout } = await run('bash', ['-c', script], { cwd: folder });
    return JSON.parse(stdout);
  }

  it('shows lines that work when they are pasted, and when they are pasted again', async () => {
    expect(await paste()).toMatchObject({ data: { allowed: true, remaining: 4, limit: 5 } });
    expect(await paste()).toMatchObject({ data: { allowed: true, remaining: 3, limit: 5 } });
    key = readFileSync(join(folder, 'limiter-key'), 'utf8').trim();
  });

  const clients = [
    {
      language: 'ts',
      file: 'limiter.ts',
      command: process.execPath,
      ask: (count: number, user: string) =>
        `\nfor (let call = 0; call < ${count}; call += 1) console.log(await isAllowed('${user}'));\n`,
    },
    {
      language: 'python',
      file: 'limiter.py',
      command: 'python3',
      ask: (count: number, user: string) =>
        `\nfor _ in range(${count}):\n    print(str(is_allowed("${user}")).lower())\n`,
    },
  ];

  describe.each(clients)('in $language', ({ language, file, command, ask }) => {
    /** The client's answers to `count` calls. */
    async function answers(count: number, url: string, apiKey: string): Promise<string[]> {
      writeFileSync(join(folder, file), blockIn(language) + ask(count, `user of ${language}`));
      const env = { PATH: process.env['PATH'], LIMITER_URL: url, LIMITER_KEY: apiKey };
      const { stdout } = await run(command, [join(folder, file)], { env });
      return stdout.trim().split('\n');
    }

    it('lets as many through as the limit says', async () => {
      const allowed = Array.from({ length: 5 }, () => 'true');
      expect(await answers(7, service.url, key)).toEqual([...allowed, 'false', 'false']);
    });

    it('lets all through if the key is wrong, the connection is refused, or the limiter is silent', async () => {
      expect(await answers(2, service.url, 'svc_limiter_test_wrong')).toEqual(['true', 'true']);
      expect(await answers(2, `http://127.0.0.1:${await freePort()}`, key)).toEqual(['true', 'true']);
      const silent = createServer();
      const port = await new Promise<number>((resolve) => {
        silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port));
      });
      const begun = performance.now();
      expect(await answers(2, `http://127.0.0.1:${port}`, key)).toEqual(['true', 'true']);
      // Two timeouts of half a second, and the start of a program on a busy machine.
      expect(performance.now() - begun).toBeLessThan(10_000);
      silent.close();
    });
  });
});
