import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/tools/browser/digest.ts';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import type { CommandSpec } from '../command.ts';
import { CHECKLIST_FILE, CONFIGURATION_FILE, MAPPING_FILE } from '../file-examples.ts';
import { RELEASES } from '../releases.ts';
import { bundleOf, ProjectDirectory, RUNTIMES } from './bundles.fixture.ts';
import { DisturbingProxy, startRefusingProxy } from './proxy.fixture.ts';

const SECRET = /svc_[a-z]+_[0-9A-Za-z]{8}/;
const PROXY_NAMES = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
/** Prints the names of its variables. */
const NAMES = 'console.log(JSON.stringify(Object.keys(process.env)))';

/** Only Bun reads `.env` files by itself. */
const [bun] = RUNTIMES;

let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(RELEASES)('version $version with the .env file of a stranger', (release) => {
  let project: ProjectDirectory;
  let proxy: DisturbingProxy;
  beforeEach(async () => {
    project = new ProjectDirectory(bun, release.version);
    proxy = await DisturbingProxy.start(service.url);
  });
  afterEach(async () => {
    project.dispose();
    await proxy.close();
  });

  const write = (name: string, text: string, mode = 0o644) =>
    writeFileSync(join(project.path, name), text, { mode });

  /** Variables that make Bun, Node and other programs print requests, trust others, or run code. */
  function plant(more: Readonly<Record<string, string>> = {}): string[] {
    const evil = join(project.path, 'evil');
    write('evil', `#!/bin/sh\ntouch ${join(project.path, 'was-run')}\n`, 0o755);
    const planted = {
      BUN_CONFIG_VERBOSE_FETCH: 'curl',
      NODE_DEBUG: '*',
      DEBUG: '*',
      NODE_OPTIONS: '--require ./evil.cjs',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_USE_ENV_PROXY: '1',
      BUN_OPTIONS: '--preload ./evil.cjs',
      BASH_ENV: evil,
      LD_PRELOAD: join(project.path, 'evil.so'),
      PYTHONSTARTUP: evil,
      BROWSER: evil,
      ...more,
    };
    write(
      '.env.local',
      Object.entries(planted)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
    );
    return Object.keys(planted);
  }

  /** The example of a command, as it can be run here. */
  function wordsOf({ name, example, options, rest }: CommandSpec): string[] {
    if (rest !== undefined) return [name, '--', 'true'];
    const words = example.map((word) => (word === 'https://api.example.com' ? proxy.url : word));
    const isPath = options.some((option) => option.name === 'print-path');
    return [...name.split(' '), ...words, ...(isPath ? ['--print-path'] : [])];
  }

  it('shows no secret, whatever the command', async () => {
    plant();
    write('schema.json', JSON.stringify(CONFIGURATION_FILE));
    write('mapping.json', JSON.stringify(MAPPING_FILE));
    write('checklist.json', JSON.stringify(CHECKLIST_FILE));
    write('customers.csv', 'Company,Seats\nA,1\n');
    const products = ['--products', 'svcactivate,svcimport'];
    const create = ['workspace', 'create', '--name', 'First', ...products, '--base-url', proxy.url];
    const commands = [...release.groups.flatMap(({ commands }) => commands), ...release.commands];
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    const { credential } = await createIn(create);
    for (const spec of commands) {
      const input = spec.name === 'workspace credential' ? credential : ping;
      for (const more of [[], ['--json']]) {
        const words = wordsOf(spec);
        // Two dashes end the options.
        const line = spec.rest === undefined ? [...words, ...more] : [...more, ...words];
        const { stdout, stderr } = await project.run(line, { input });
        expect(stdout + stderr, line.join(' ')).not.toMatch(SECRET);
        expect(stdout + stderr, line.join(' ')).not.toMatch(/internal|curl --http/);
      }
    }
    const paths = new Set(proxy.passed.map(({ path }) => path.replaceAll(/[a-z]{3}_[a-z2-7]{24}/g, '{id}')));
    expect(paths).toContain('/v1/agent/workspace/claim-link');
    expect(paths).toContain('/v1/installations/{id}/svcfeedback/widgets');
    expect(existsSync(join(project.path, 'was-run'))).toBe(false);
  });

  async function createIn(words: readonly string[]): Promise<{ credential: string }> {
    const { code, stdout, stderr } = await project.run(words);
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(SECRET)]);
    return JSON.parse(readFileSync(join(project.path, '.svc/workspace.json'), 'utf8')).workspace;
  }

  it('prints no requests for a caller who asks Bun for them', async () => {
    const create = ['workspace', 'create', '--name', 'First', '--base-url', proxy.url];
    const environment = { BUN_CONFIG_VERBOSE_FETCH: 'curl' };
    const { code, stdout, stderr } = await project.run(create, { environment });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(SECRET)]);
  });

  it('asks no proxy of the file, and names the variables that do not count', async () => {
    const refusing = await startRefusingProxy();
    plant(Object.fromEntries(PROXY_NAMES.map((name) => [name, refusing.url])));
    const words = ['workspace', 'discover', '--base-url', 'https://api.example.invalid'];
    const { code, stderr } = await project.run(words);
    expect([code, refusing.passed()]).toEqual([7, 0]);
    const [told = ''] = stderr.split('\n');
    for (const name of [...PROXY_NAMES, 'BUN_CONFIG_VERBOSE_FETCH', 'BROWSER']) expect(told).toContain(name);
    await refusing.close();
  });

  it('starts other programs with the variables of the caller only', async () => {
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', proxy.url]);
    const planted = plant({ KEPT: 'planted', DATABASE_URL: 'planted', DISPLAY: ':7' });
    const environment = { KEPT: 'kept', BUN_CONFIG_VERBOSE_FETCH: '0' };
    const run = ['run', '--', process.execPath, '--eval', NAMES];
    const { code, stdout } = await project.run(run, { environment });
    expect(code).toBe(0);
    const names: string[] = JSON.parse(stdout);
    expect(names).toEqual(expect.arrayContaining(['KEPT', 'BUN_CONFIG_VERBOSE_FETCH', 'SVC_CREDENTIAL']));
    const unwanted = planted.filter((name) => !(name in environment));
    expect(names.filter((name) => unwanted.includes(name))).toEqual([]);
    // An opener of the caller would inherit them as well. Without the planted display there is none.
    mkdirSync(join(project.path, 'bin'));
    write('bin/xdg-open', readFileSync(join(project.path, 'evil'), 'utf8'), 0o755);
    const path = { PATH: `${join(project.path, 'bin')}:${process.env['PATH']}` };
    expect((await project.json(['workspace', 'claim'], { environment: path })).opened).toBe(false);
    expect(existsSync(join(project.path, 'was-run'))).toBe(false);
  });
});

describe('bun run', () => {
  it('finds no program of the repository for the tool', async () => {
    const project = new ProjectDirectory(bun, '0.4.0');
    await project.json(['workspace', 'create', '--name', 'First', '--base-url', service.url]);
    mkdirSync(join(project.path, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(project.path, 'node_modules/.bin/printenv'), '#!/bin/sh\necho planted\n', {
      mode: 0o755,
    });
    copyFileSync(bundleOf('0.4.0'), join(project.path, 'tool.js'));
    const words = ['run', 'tool.js', 'run', '--', 'printenv', 'PATH'];
    const env = { PATH: process.env['PATH'], HOME: project.home };
    const { stdout } = await promisify(execFile)(bun.program, words, { cwd: project.path, env });
    expect(stdout).toBe(`${process.env['PATH']}\n`);
    project.dispose();
  });
});

describe('dropProjectVariables where a system does not show the variables of the caller', () => {
  const SENSITIVE = [
    'HTTPS_PROXY',
    'https_proxy',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'SVC_CREDENTIAL',
    'LD_PRELOAD',
  ];
  const FILES = ['.env', '.env.local', '.env.development', '.env.development.local'];
  let project: ProjectDirectory;
  beforeEach(() => {
    project = new ProjectDirectory(bun, '0.4.0');
  });
  afterEach(() => project.dispose());

  interface Dropped {
    readonly taken: string[];
    readonly dropped: string[];
    readonly left: string[];
  }

  /** Runs it on Bun beside a file, with a few variables of a caller. */
  async function dropBeside(file: string, text: string | Buffer): Promise<Dropped> {
    writeFileSync(join(project.path, file), text);
    const script = [
      `import { dropProjectVariables } from ${JSON.stringify(join(ROOT, 'cli/environment.ts'))};`,
      'const taken = Object.keys(process.env);',
      `const { dropped, inherited } = dropProjectVariables(process.env, '');`,
      'const left = [...new Set([process.env, inherited].flatMap(Object.keys))].sort();',
      'console.log(JSON.stringify({ taken, dropped, left }));',
    ].join('\n');
    const { stdout } = await promisify(execFile)(bun.program, ['--eval', script], {
      cwd: project.path,
      env: { PATH: '/bin', NO_PROXY: 'kept' },
    });
    rmSync(join(project.path, file));
    return JSON.parse(stdout);
  }

  it('drops those that do harm, and keeps the others', async () => {
    const lines = ['HTTPS_PROXY=a', 'export NODE_OPTIONS=a', 'ld_preload: a', 'APP=a'];
    const { dropped, left } = await dropBeside('.env', lines.join('\n'));
    expect([dropped, left]).toEqual([['HTTPS_PROXY'], ['APP', 'NO_PROXY', 'PATH']]);
  });

  it.each([
    ['a byte order mark', '\uFEFFHTTPS_PROXY=a'],
    ['a form feed', '\fHTTPS_PROXY=a'],
    ['a vertical tab', '\vHTTPS_PROXY=a'],
    ['a carriage return', '\rHTTPS_PROXY=a'],
    ['a name and its sign on two lines', 'HTTPS_PROXY\n=a'],
  ])('drops a variable behind %s', async (_, text) => {
    const { taken, left } = await dropBeside('.env', text);
    expect(taken).toContain('HTTPS_PROXY');
    expect(left).toEqual(['NO_PROXY', 'PATH']);
  });

  it('leaves nothing that Bun takes from any text', async () => {
    const gap = fc.constantFrom('', ' ', '\t', '\n', '\r', '\f', '\v', '\0', '\uFEFF', '\u00A0', '\u2028');
    const sign = fc.constantFrom(
      '=',
      ':',
      '"',
      "'",
      '`',
      '#',
      '$',
      '${',
      '}',
      '\\',
      'export',
      'export ',
      'x',
      '-',
      '.',
    );
    const name = fc.constantFrom(...SENSITIVE);
    const assignment = fc
      .tuple(gap, name, gap)
      .map(([before, each, after]) => `\n${before}${each}${after}=a`);
    const text = fc.array(fc.oneof(gap, sign, name, assignment, assignment), { minLength: 1, maxLength: 8 });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FILES), text, async (file, parts) => {
        const found = await dropBeside(file, parts.join(''));
        taken += found.taken.filter((each) => SENSITIVE.includes(each)).length;
        expect(found.left.filter((each) => SENSITIVE.includes(each))).toEqual([]);
      }),
      { numRuns: 60 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
