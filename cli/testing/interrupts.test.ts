import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import { ProjectDirectory, RUNTIMES } from './bundles.fixture.ts';
import { DisturbingProxy, startRefusingProxy } from './proxy.fixture.ts';

const SECRET = /svc_[a-z]+_[0-9A-Za-z]{40}/g;
const CSV = `Name\n${'Marker\n'.repeat(300)}`;

const SCHEMA = {
  name: 'People',
  allowedOrigins: ['https://app.example.com'],
  schema: {
    version: 'svcimport.schema.v1',
    revision: 1,
    fields: [{ key: 'name', type: 'text', required: true, maxLength: 40 }],
  },
};
const MAPPING = {
  version: 'svcimport.mapping.v1',
  revision: 1,
  columns: [{ source: 'Name', target: 'name' }],
};
const CHECKLIST = {
  name: 'Start',
  allowedOrigins: [],
  steps: [{ key: 'profile', label: 'Profile', description: '', actionPath: '/profile' }],
};

let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start({ limits: { workspace: { createdPerAddressHour: 1_000 } } });
});
afterAll(() => service?.dispose());

describe.each(RUNTIMES)('a command of $runtime', (runtime) => {
  let proxy: DisturbingProxy;
  let project: ProjectDirectory;
  beforeEach(async () => {
    proxy = await DisturbingProxy.start(service.url);
    project = new ProjectDirectory(runtime, '0.4.0');
    writeFileSync(join(project.path, 'people.csv'), CSV);
    writeFileSync(join(project.path, 'schema.json'), JSON.stringify(SCHEMA));
    writeFileSync(join(project.path, 'mapping.json'), JSON.stringify(MAPPING));
  });
  afterEach(async () => {
    project.dispose();
    await proxy.close();
  });

  const create = () => [
    ...['workspace', 'create', '--name', 'First', '--products', 'svcimport,svcactivate'],
    ...['--base-url', proxy.url],
  ];

  /** The arguments and variables of a process, which others on the machine may see. */
  function shownBy(pid: number | undefined): string {
    return ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\n');
  }

  /**
   * Runs a command again and again. Each time it is interrupted at its next request, first before the service gets the request,
   * then after the service has answered it, until it ends by itself.
   */
  async function interruptEverywhere(words: readonly string[]) {
    let shown = '';
    for (let step = 0; step < 30; step += 1) {
      const target = Math.floor(step / 2) + 1;
      let pid: number | undefined;
      let isReached = false;
      proxy.reset();
      proxy.decide = ({ number }) => {
        if (number !== target) return 'forward';
        isReached = true;
        shown += shownBy(pid);
        process.kill(pid ?? 0, 'SIGINT');
        return step % 2 === 0 ? new Promise(() => undefined) : 'lose';
      };
      const ran = await project.run([...words, '--json', '--quiet'], {
        onStart: (child) => {
          pid = child.pid;
        },
      });
      shown += ran.stdout + ran.stderr;
      if (!isReached) return { ...ran, shown, interrupted: step };
      expect([ran.code, ran.stdout], `step ${step}`).toEqual([130, '']);
      expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'interrupted', exitCode: 130 });
    }
    throw new Error(`running ${words.join(' ')}: it was interrupted without end`);
  }

  it('is interrupted at each request, continues, does its work once and shows no secret', async () => {
    let shown = '';
    const finish = async (words: readonly string[]) => {
      const ran = await interruptEverywhere(words);
      expect([ran.code, ran.stderr], words.join(' ')).toEqual([0, '']);
      expect(ran.interrupted, words.join(' ')).toBeGreaterThanOrEqual(2);
      shown += ran.shown;
      return JSON.parse(ran.stdout);
    };
    const { workspaceId } = await finish(create());
    const { schemaId } = await finish(['import', 'configure', '--config', 'schema.json']);
    const upload = ['import', 'upload', '--schema', schemaId, '--revision', '1', '--file', 'people.csv'];
    const { importId } = await finish(upload);
    await finish(['import', 'map', '--import', importId, '--mapping', 'mapping.json']);
    const ready = await finish(['import', 'validate', '--import', importId, '--wait']);
    expect(ready).toMatchObject({ status: 'ready', validations: { used: 1 } });
    const { checklistId } = await finish([
      'activate',
      'create',
      '--configuration-json',
      JSON.stringify(CHECKLIST),
    ]);
    await finish(['activate', 'test', '--checklist', checklistId, '--event', 'profile']);
    await finish(['workspace', 'claim', '--print-path']);
    const status = await finish(['workspace', 'status']);
    expect(status).toMatchObject({
      workspaceId,
      limits: {
        svcimport: { schemas: { used: 1 }, imports: { used: 1 } },
        svcactivate: { checklists: { used: 1 }, enrollments: { used: 1 }, events: { used: 1 } },
      },
    });
    const secrets = new Set(proxy.traffic.match(SECRET));
    const kinds = new Set([...secrets].map((secret) => secret.split('_')[1]));
    expect([...kinds].sort()).toEqual(['claim', 'project', 'provision', 'upload']);
    const places = { shown, log: service.output };
    for (const [place, text] of Object.entries(places)) {
      expect(
        [...secrets].filter((secret) => text.includes(secret)),
        place,
      ).toEqual([]);
    }
    expect(shown).not.toContain('Marker');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends at %s with %i while it waits for another command, and keeps its lock',
    async (signal, code) => {
      await project.json(create());
      const lock = join(project.path, '.svc/lock');
      const holder = { pid: process.pid, host: hostname(), nonce: 'test' };
      writeFileSync(lock, JSON.stringify(holder), { mode: 0o600 });
      const ran = await project.run(['workspace', 'claim'], {
        onStart: (child) => {
          child.stderr?.on('data', (chunk: Buffer) => {
            if (chunk.toString().includes('Waiting for another command')) child.kill(signal);
          });
        },
      });
      expect(ran.code).toBe(code);
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(holder);
    },
  );

  it('takes over the lock of a process that has ended', async () => {
    await project.json(create());
    const gone = { pid: 4_194_303, host: hostname(), nonce: 'gone' };
    writeFileSync(join(project.path, '.svc/lock'), JSON.stringify(gone), { mode: 0o600 });
    expect(await project.json(['workspace', 'claim', '--print-path'])).toMatchObject({ opened: false });
  });

  it('repeats a request after 503 and after a lost answer, and obeys Retry-After', async () => {
    const at: number[] = [];
    proxy.decide = ({ number }) => {
      at.push(performance.now());
      if (number === 1) return { status: 503, headers: { 'retry-after': '1' }, body: '{}' };
      return number === 2 ? 'lose' : 'forward';
    };
    const created = await project.json(create());
    expect(created.created).toBe(true);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    const tokens = proxy.passed.slice(0, 3).map(({ body }) => JSON.parse(body).provisionToken);
    expect(new Set(tokens).size).toBe(1);
  });

  it('gives up with 7 after a few attempts, and after a long Retry-After at once', async () => {
    const envelope = JSON.stringify({
      error: { code: 'unavailable', message: 'Not now.', request_id: `req_${'a'.repeat(24)}` },
    });
    proxy.decide = () => ({ status: 503, headers: { 'retry-after': '0' }, body: envelope });
    const discover = ['workspace', 'discover', '--base-url', proxy.url];
    expect(await project.failure(discover)).toMatchObject({ code: 'unavailable', exitCode: 7 });
    expect(proxy.passed.length).toBe(4);
    proxy.reset();
    proxy.decide = () => ({ status: 503, headers: { 'retry-after': '120' }, body: envelope });
    expect(await project.failure(discover)).toMatchObject({ retryAfterSeconds: 120, exitCode: 7 });
    expect(proxy.passed.length).toBe(1);
  });

  it('repeats no 429, and says when the limit resets', async () => {
    proxy.decide = () => ({
      status: 429,
      headers: { 'retry-after': '42' },
      body: JSON.stringify({
        error: {
          code: 'rate_limited',
          message: 'request.rate: seen too many, expected at most 120 a minute.',
          request_id: `req_${'a'.repeat(24)}`,
        },
      }),
    });
    const failed = await project.failure(['workspace', 'discover', '--base-url', proxy.url]);
    expect(failed).toMatchObject({ exitCode: 6, retryAfterSeconds: 42 });
    expect(failed.message).toMatch(/at most 120 a minute\. It resets in 42 s, at 2\d{3}-/);
    expect(proxy.passed.length).toBe(1);
  });

  it('follows a redirect within its host, and sends its credential to no other one', async () => {
    await project.json(create());
    proxy.reset();
    const moved = '/v1/agent/workspace?moved=1';
    proxy.decide = ({ path, number }) => {
      if (number === 1) return { status: 307, headers: { location: moved } };
      return path === moved ? { status: 308, headers: { location: '/v1/agent/workspace' } } : 'forward';
    };
    expect(await project.json(['workspace', 'status'])).toMatchObject({ name: 'First' });
    const other = await DisturbingProxy.start(service.url);
    proxy.decide = () => ({ status: 307, headers: { location: `${other.url}/v1/agent/workspace` } });
    expect(await project.failure(['workspace', 'status'])).toMatchObject({
      code: 'redirect_refused',
      exitCode: 7,
    });
    expect(other.passed).toEqual([]);
    await other.close();
  });

  it.each([
    ['text', 200, 'hello'],
    ['another shape', 200, '{"version":1}'],
    ['the page of a proxy', 502, '<html>'],
  ])('fails with a sentence if the answer is %s', async (_what, status, body) => {
    proxy.decide = () => ({ status, body });
    const failed = await project.failure(['workspace', 'discover', '--base-url', proxy.url]);
    expect(failed).toMatchObject({ code: 'unexpected_answer', next: expect.stringContaining('doctor') });
  });

  it('sends nothing to this machine through a proxy, whichever variable names one', async () => {
    const refusing = await startRefusingProxy();
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];
    const proxies = Object.fromEntries(names.map((name) => [name, refusing.url]));
    const environment = { ...proxies, NODE_USE_ENV_PROXY: '1' };
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const url = service.url.replace('127.0.0.1', host);
      await project.run(['workspace', 'discover', '--base-url', url], { environment });
    }
    await project.json(create(), { environment });
    expect(refusing.passed()).toBe(0);
    await refusing.close();
  });

  it('reaches other machines through the proxy of HTTPS_PROXY, but for hosts of NO_PROXY', async () => {
    const refusing = await startRefusingProxy();
    const discover = ['workspace', 'discover', '--base-url', 'https://api.example.invalid'];
    const environment = { HTTPS_PROXY: refusing.url };
    expect(await project.failure(discover, { environment })).toMatchObject({
      exitCode: 7,
      message: expect.stringMatching(/ cannot be reached \(HTTPS_PROXY is set\)\. /),
    });
    const passed = refusing.passed();
    expect(passed).toBeGreaterThan(0);
    const direct = { ...environment, NO_PROXY: 'other.example,example.invalid' };
    expect((await project.failure(discover, { environment: direct })).exitCode).toBe(7);
    expect(refusing.passed()).toBe(passed);
    await refusing.close();
  });
});
