import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DisturbingProxy } from '../../../../cli/testing/proxy.fixture.ts';
import { codeOf, folderWithClient, readGuide } from '../../../docs/guide-code.fixture.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { LimiterService } from './limiter-service.fixture.ts';

/** Calls of a key in a month. A minute has more, so that a flood meets this limit at any second. */
const OF_KEY = 20;

const HOUR_MS = 3_600_000;

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
    beginning: 'import ipaddress',
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

    it.each([301, 302, 307, 401, 402, 408, 500, 503])('lets a request through after %i', async (status) => {
      const headers = { location: `${service.main.url}/v1/health`, 'x-request-id': 'req_1' };
      proxy.decide = () => ({ status, headers, body: '{}' });
      expect(await answers(calls(2))).toEqual(['true', 'true']);
    });

    it.each([403, 404, 405])('fails after %i of another server', async (status) => {
      proxy.decide = () => ({ status, body: '<html>' });
      expect(await answers(calls(1))).toEqual(['error']);
    });

    it.each(['99999999999', new Date(Date.now() + HOUR_MS).toUTCString()])(
      'refuses requests after 429 without further checks, if the pause is %s',
      async (pause) => {
        proxy.decide = () => ({ status: 429, headers: { 'retry-after': pause }, body: '' });
        expect(await answers(calls(3, (call) => `user ${call}`))).toEqual(calls(3, () => 'false'));
        expect(proxy.passed).toHaveLength(1);
      },
    );

    it('says which member the service refuses', async () => {
      const lines = language === 'ts' ? '\nawait isAllowed("");\n' : '\nis_allowed("")\n';
      const code = codeOf(guide, language, beginning).replace(deadline.usual, deadline.long);
      writeFileSync(join(folder, file), code + lines);
      const { key } = await service.newKey('test');
      const env = { PATH: process.env['PATH'], LIMITER_URL: proxy.url, LIMITER_KEY: key };
      await expect(run(command, [join(folder, file)], { env })).rejects.toThrow(
        /identifier: seen a string of 0 characters/,
      );
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

describe('the Python code of the guide for many checks', () => {
  it('decides each alone, and repeats none', async () => {
    const check = { namespace: 'many', identifier: 'ada', limit: 2, window: HOUR_MS };
    const checks = JSON.stringify([check, { ...check, limit: 0 }, check, check]);
    const code = codeOf(guide, 'python', 'import json').replace('timeout=0.5', 'timeout=60');
    const file = join(folder, 'many.py');
    writeFileSync(file, `${code}\nprint(json.dumps(check_each(json.loads(${JSON.stringify(checks)}))))\n`);
    const { key } = await service.newKey('test');
    const env = { PATH: process.env['PATH'], LIMITER_URL: proxy.url, LIMITER_KEY: key };
    const { stdout } = await run('python3', [file], { env });
    expect(JSON.parse(stdout)).toEqual([true, 'bad_request', true, false]);
    expect(proxy.passed).toHaveLength(1);
  });
});

/** Programs that call a function of a section with each list of arguments, and print what it returned as JSON. */
const PROGRAMS = [
  {
    language: 'ts',
    beginning: 'import {',
    file: 'limits.ts',
    command: process.execPath,
    addresses: ['203.0.113.7', '198.51.100.1'],
    nameOf: (name: string) => name,
    ask: (name: string, asked: string) => `
const results: unknown[] = [];
for (const each of ${asked}) results.push(await ${name}(...each as Parameters<typeof ${name}>));
console.log(JSON.stringify(results));
`,
  },
  {
    language: 'python',
    beginning: '',
    file: 'limits.py',
    command: 'python3',
    addresses: ['203.0.113.8', '198.51.100.2'],
    nameOf: (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ask: (name: string, asked: string) => `
import json
print(json.dumps([${name}(*each) for each in json.loads(${JSON.stringify(asked)})]))
`,
  },
];

describe.each(PROGRAMS)(
  'the code of “Which limits for what” in $language',
  ({ language, beginning, file, command, addresses, nameOf, ask }) => {
    const page = readGuide('which-limits.md');
    let key: string;
    beforeAll(async () => {
      await service.subscribe();
      ({ key } = await service.newKey('live'));
      // A busy machine may need more than half a second for an answer.
      const client = codeOf(guide, 'python', 'import ipaddress').replace('timeout=0.5', 'timeout=60');
      writeFileSync(join(folder, 'svc_limits.py'), client);
    });

    /** The results of calls of the function in a section's code, one after the other. Each language has separate people. */
    async function results(section: string, name: string, asked: readonly (readonly unknown[])[]) {
      const shown = codeOf(page.slice(page.indexOf(`\n## ${section}\n`)), language, beginning);
      const code = shown.replace('baseUrl:', 'deadlineMs: 60_000, baseUrl:');
      const script = join(folder, file);
      const own = asked.map(([who, ...others]) => [`${who} of ${language}`, ...others]);
      writeFileSync(script, code + ask(nameOf(name), JSON.stringify(own)));
      const env = { PATH: process.env['PATH'], LIMITER_URL: proxy.url, LIMITER_KEY: key };
      return JSON.parse((await run(command, [script], { env })).stdout);
    }
    const repeated = (times: number, asked: readonly unknown[]) => Array.from({ length: times }, () => asked);
    const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
    const [home, elsewhere] = addresses;

    it('refuses a flood of sign-ins by a separate limit, and no other person', async () => {
      const others = [
        ['ada', elsewhere],
        ['bob', home],
      ];
      const told = await results('Sign-in', 'refusedBy', [...repeated(40, ['ada', home]), ...others]);
      expect(told).toEqual([...times(10, null), ...times(30, 'sign-in'), null, null]);
      // Ten that were allowed, one that was denied, and the other people.
      expect(proxy.passed).toHaveLength(13);
    });

    it('sends a bounded number of e-mails for an account, without using up the address', async () => {
      const asked = [...repeated(30, ['ada', home]), ['bob', home], ['ada', elsewhere]];
      const told = await results('Password reset', 'maySend', asked);
      expect(told).toEqual([...times(3, true), ...times(27, false), true, false]);
    });

    it('limits a customer by the plan, which holds at once', async () => {
      const asked = [...repeated(70, ['ada', 'free']), ['ada', 'team'], ['bob', 'free']];
      const told: (number | null)[] = await results('Public API, by plan', 'secondsToWait', asked);
      expect(told.slice(0, 60)).toEqual(times(60, null));
      for (const seconds of told.slice(60, 70)) expect(seconds).toBeGreaterThan(0);
      expect(told.slice(70)).toEqual([null, null]);
    });

    it('takes nothing for a job that does not fit', async () => {
      const told = await results('Expensive jobs', 'refusedBy', [
        ['ada', 90_000],
        ...repeated(30, ['ada', 20_000]),
        ['ada', 10_000],
        ['bob', 100_000],
      ]);
      expect(told).toEqual([null, ...times(30, 'report-rows'), null, null]);
    });

    it('answers a flood of webhooks with 429 and a time to wait', async () => {
      const asked = [...repeated(150, ['ada', '/orders']), ['ada', '/invoices'], ['bob', '/orders']];
      const told: [number, object][] = await results('Webhooks', 'answerTo', asked);
      const statuses = told.map(([status]) => status);
      // A window of ten seconds may end in the middle on a slow machine, and another one begin.
      expect(statuses.slice(0, 30)).toEqual(times(30, 202));
      const refused = told.find(([status]) => status === 429);
      expect(refused?.[1]).toEqual({ 'Retry-After': expect.stringMatching(/^([1-9]|10)$/) });
      expect(statuses.slice(150)).toEqual([202, 202]);
    });
  },
);

describe('the code of “Which limits for what”', () => {
  const page = readGuide('which-limits.md');
  const SPELLINGS = [
    ['Sign-in', 'refusedBy', [' Zo\u00eb@Example.com', '2001:db8:1:2:3::4']],
    ['Password reset', 'maySend', ['Zo\u00eb@Example.com ', '::ffff:203.0.113.7']],
    ['Webhooks', 'answerTo', ['a "sender"', '/orders/\u20ac']],
  ] as const;
  type Spelling = readonly [section: string, name: string, asked: readonly string[]];

  /** The windows that a call of the function checks. */
  async function windowsOf(
    { language, beginning, file, command, nameOf, ask }: (typeof PROGRAMS)[number],
    [section, name, asked]: Spelling,
  ) {
    proxy.reset();
    const shown = codeOf(page.slice(page.indexOf(`\n## ${section}\n`)), language, beginning);
    writeFileSync(join(folder, file), shown + ask(nameOf(name), JSON.stringify([asked])));
    const { key } = await service.newKey('test');
    const env = { PATH: process.env['PATH'], LIMITER_URL: proxy.url, LIMITER_KEY: key };
    await run(command, [join(folder, file)], { env });
    const bodies = proxy.passed.map(({ body }) => JSON.parse(body));
    return bodies.flatMap(({ checks, ...only }) => checks ?? [only]);
  }

  it.each(SPELLINGS)('names a window of “%s” alike in both languages', async (...spelling) => {
    const [inTypeScript, inPython] = PROGRAMS;
    if (inTypeScript === undefined || inPython === undefined) throw new Error('finding two languages');
    const windows = await windowsOf(inTypeScript, spelling);
    expect(windows.length).toBeGreaterThan(0);
    expect(await windowsOf(inPython, spelling)).toEqual(windows);
  });

  it.each(PROGRAMS)('refuses an empty name without a check in $language', async (program) => {
    expect(await windowsOf(program, ['Sign-in', 'refusedBy', [' ', '203.0.113.7']])).toEqual([]);
    expect(await windowsOf(program, ['Password reset', 'maySend', ['', '203.0.113.7']])).toEqual([]);
  });
});
