import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DisturbingProxy } from '../../../cli/testing/proxy.fixture.ts';
import { codeOf, folderWithClient, readGuide } from '../../docs/guide-code.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { LimiterService } from './limiter-service.fixture.ts';

/** Calls of a key in a month. A minute has more, so that a flood meets this limit at any second. */
const OF_KEY = 20;

const run = promisify(execFile);
const guide = readGuide('rate-limits.md');

let service: LimiterService;
let proxy: DisturbingProxy;
let folder: string;
beforeAll(async () => {
  folder = folderWithClient();
  service = await LimiterService.start({ limits: { limiter: { testPerMonth: OF_KEY, keysPerMode: 100 } } });
  proxy = await DisturbingProxy.start(service.main.url);
});
afterEach(() => proxy.reset());
afterAll(async () => {
  await proxy.close();
  await service.dispose();
  rmSync(folder, { recursive: true });
});

const CLIENTS = [
  {
    language: 'ts',
    beginning: "import { limiter } from 'svc-client'",
    file: 'limiter.ts',
    command: process.execPath,
    deadline: { usual: "onNoAnswer: 'allow'", long: "onNoAnswer: 'allow', deadlineMs: 60_000" },
    ask: (users: string) =>
      `\nfor (const user of ${users}) console.log(await isAllowed(user).catch(() => 'error'));\n`,
  },
  {
    language: 'python',
    beginning: 'import json',
    file: 'limiter.py',
    command: 'python3',
    deadline: { usual: 'timeout=0.5', long: 'timeout=60' },
    ask: (users: string) => `
for user in ${users}:
    try:
        print(str(is_allowed(user)).lower())
    except Exception:
        print("error")
`,
  },
];

/** A name for each call of a user, or of as many users. */
const calls = (count: number, nameOf = (_call: number) => 'one user') =>
  Array.from({ length: count }, (_, call) => nameOf(call));

describe.each(CLIENTS)(
  'the client of the guide in $language',
  ({ language, beginning, file, command, deadline, ask }) => {
    /** The client's answers to checks of these users, one after the other. A busy machine may need more than half a second for one. */
    async function answers(
      users: readonly string[],
      environment: Readonly<Record<string, string>> = {},
      within = deadline.long,
    ) {
      const code = codeOf(guide, language, beginning).replace(deadline.usual, within);
      writeFileSync(join(folder, file), code + ask(JSON.stringify(users)));
      const { key } = await service.newKey('test');
      const env = { PATH: process.env['PATH'], LIMITER_URL: proxy.url, LIMITER_KEY: key, ...environment };
      const { stdout } = await run(command, [join(folder, file)], { env });
      return stdout.trim().split('\n');
    }

    it('lets as many through as the limit says, and sends no check of a user that it knows to be denied', async () => {
      const user = `user of ${language}`;
      const users = [...calls(62, () => user), `another ${user}`];
      const denied = calls(57, () => 'false');
      expect(await answers(users)).toEqual([...calls(5, () => 'true'), ...denied, 'true']);
      expect(proxy.passed).toHaveLength(7);
    });

    it('refuses a flood of users once it has used up the key, and sends no further check', async () => {
      const users = calls(100, (call) => `user ${call} of ${language}`);
      const allowed = (await answers(users)).filter((answer) => answer === 'true');
      expect(allowed).toHaveLength(OF_KEY);
      expect(proxy.passed).toHaveLength(OF_KEY + 1);
    });

    it.each([401, 402, 500, 503])('lets a request through after %i', async (status) => {
      proxy.decide = () => ({ status, headers: { 'x-request-id': 'req_1' }, body: '{}' });
      expect(await answers(calls(2))).toEqual(['true', 'true']);
    });

    it('fails after another refusal of the service', async () => {
      expect(await answers(calls(1, () => 'x'.repeat(257)))).toEqual(['error']);
    });

    it('lets a request through if the connection is refused or the limiter is silent', async () => {
      const nowhere = { LIMITER_URL: `http://127.0.0.1:${await freePort()}` };
      expect(await answers(calls(2), nowhere)).toEqual(['true', 'true']);
      const silent = createServer();
      const port = await new Promise<number>((resolve) => {
        silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port));
      });
      const begun = performance.now();
      const silence = { LIMITER_URL: `http://127.0.0.1:${port}` };
      expect(await answers(calls(2), silence, deadline.usual)).toEqual(['true', 'true']);
      // Two timeouts of half a second, and the start of a program on a busy machine.
      expect(performance.now() - begun).toBeLessThan(10_000);
      silent.close();
    });

    it.each(['LIMITER_KEY', 'LIMITER_URL'])('fails at the start without %s', async (name) => {
      await expect(answers(calls(1), { [name]: '' })).rejects.toThrow(/Error/);
      expect(proxy.passed).toEqual([]);
    });
  },
);
