import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CLI, CONSOLE } from '../tools/browser/digest.ts';
import { freePort } from '../tools/service-process/service-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START_MS_MAX = 50_000;

const dockerfile = readFileSync(join(ROOT, 'infra/deployment/Dockerfile'), 'utf8');
const packageJson = z
  .object({ scripts: z.object({ start: z.string() }), dependencies: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** The commands of the last stage that name paths of the repository, and those paths. */
const copied = [...dockerfile.matchAll(/^COPY (\S+) \S+$/gm)].map(([, source]) => source ?? '');

describe('the Dockerfile', () => {
  it('has nothing that its linter knows better', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
    expect(validate('FROM node\nCOPPY a b\n')).not.toEqual([]);
  });

  it('brings the Node that package.json pins, and starts what package.json starts', () => {
    expect(dockerfile).toContain(`FROM node:${packageJson.dependencies.node}-`);
    // In package.json the shell steps aside, so that the process gets the signals that npm passes on.
    const start = packageJson.scripts.start.replace(/^exec /, '');
    expect(dockerfile).toContain(`CMD ${JSON.stringify(start.split(' ')).replace(',', ', ')}\n`);
  });
});

describe('what the image is made from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
  const files = imageFiles();
  let child: ChildProcess;
  let output = '';

  beforeAll(async () => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const port = String(await freePort());
    child = spawn(process.execPath, ['infra/start.js'], {
      cwd: folder,
      env: { HOST: '127.0.0.1', PORT: port, SVC_DATA_FOLDER: join(folder, 'data') },
    });
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    await Promise.race([once(child, 'exit'), untilStarted()]);
  });

  afterAll(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  });

  it('starts by itself, and ends when it is told to', async () => {
    expect(output).toContain('ServiceStarted');
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it.each([
    ['migrate', /SVC_ENGINE: seen "embedded"/],
    ['grow', /topic: seen nothing; expected one of workspaces, /],
    ['backup', /npm run ops -- backup <folder>/],
  ])('runs the verb %s, too', (verb, says) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['infra/tools/ops/main.ts', verb], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    });
    expect(stdout + stderr).toMatch(says);
  });

  it('brings the console and the command-line tool, which a stage before it builds', () => {
    expect(dockerfile).toMatch(/^RUN node infra\/tools\/browser\/main\.ts$/m);
    for (const folder of [CONSOLE.folder, CLI.folder]) {
      expect(dockerfile).toContain(`\nCOPY --from=built /service/${folder} ${folder}\n`);
    }
    for (const file of [
      'widgets/console/main.tsx',
      'cli/main.ts',
      'infra/tools/browser/main.ts',
      'infra/tools/interface/openapi.snap.json',
    ]) {
      expect(files).toContain(file);
    }
  });

  it('has what engines read beside their sources, and no tests', () => {
    const beside = repositoryFiles().filter((file) =>
      /^infra\/engines\/(cassandra|redis)\/.*\.(cql|json|lua)$/.test(file),
    );
    expect(beside).not.toEqual([]);
    expect(beside.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => /\.(test|fixture)\.ts$|^infra\/(testing|deployment)\//.test(file))).toEqual(
      [],
    );
  });

  async function untilStarted(): Promise<void> {
    const deadline = Date.now() + START_MS_MAX;
    while (!output.includes('ServiceStarted') && Date.now() < deadline) {
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
});

/** The files that the commands of the Dockerfile copy out of what its ignore file leaves. */
function imageFiles(): string[] {
  const rules = readFileSync(join(ROOT, 'infra/deployment/Dockerfile.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return repositoryFiles().filter(
    (file) => copied.some((path) => path === file || file.startsWith(`${path}/`)) && !isIgnored(file, rules),
  );
}

/** True if the last rule that names a file, or one of its folders, leaves it out. */
function isIgnored(file: string, rules: readonly string[]): boolean {
  const last = rules.findLast((rule) => {
    const pattern = rule.replace(/^!/, '');
    return matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`);
  });
  return last !== undefined && !last.startsWith('!');
}

function repositoryFiles(): string[] {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  return listing
    .toString()
    .split('\0')
    .filter((file) => file !== '');
}
