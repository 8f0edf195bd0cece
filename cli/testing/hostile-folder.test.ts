import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUN } from '../../schemas/base/bun.ts';
import { bundleOf, RUNTIMES } from './bundles.fixture.ts';

const TOOL = basename(bundleOf('0.4.0'));
const [bun, node] = RUNTIMES;
/** Leaves a mark when it runs. */
const EVIL = 'require("node:fs").writeFileSync(process.env.MARK, "");';
const EVIL_PROGRAM = '#!/bin/sh\ntouch "$MARK"\n';

const PATTERNS = ['*', '*.js', '/*', `*/${TOOL}`];
/** Makes every file another one, the tool included. */
const PATHS = JSON.stringify({
  compilerOptions: { paths: Object.fromEntries(PATTERNS.map((pattern) => [pattern, ['./evil.ts']])) },
});

/** Files of a repository that Bun or Node could obey, by what they are. */
const PLANTS = {
  'a package.json of CommonJS': { 'package.json': '{"type":"commonjs"}' },
  'a tsconfig.json': { 'tsconfig.json': PATHS },
  'a jsconfig.json': { 'jsconfig.json': PATHS },
  'a tsconfig.json that extends another': {
    'tsconfig.json': '{"extends":"./base.json"}',
    'base.json': PATHS,
  },
  'a bunfig.toml': { 'bunfig.toml': 'preload = ["./evil.ts"]\n[loader]\n".js" = "text"\n' },
  'a package.json, node_modules and .env': {
    'package.json': JSON.stringify({
      type: 'module',
      name: TOOL,
      main: './evil.ts',
      imports: { '#*': './evil.ts' },
      exports: { '.': './evil.ts', './*': './evil.ts' },
      browser: { [`./${TOOL}`]: './evil.ts', 'node:fs': './evil.ts' },
      scripts: { [TOOL]: 'touch "$MARK"', [`pre${TOOL}`]: 'touch "$MARK"' },
    }),
    [`node_modules/${TOOL}/index.js`]: EVIL,
    'node_modules/fs/index.js': EVIL,
    'node_modules/node:fs/index.js': EVIL,
    'node_modules/commander/index.js': EVIL,
    [`node_modules/.bin/${TOOL}`]: EVIL_PROGRAM,
    'node_modules/.bin/bun': EVIL_PROGRAM,
    'node_modules/.bin/node': EVIL_PROGRAM,
    '.env': [
      'BUN_OPTIONS=--preload=./evil.ts',
      'NODE_OPTIONS=--require=./evil.ts',
      'BUN_INSPECT_PRELOAD=./evil.ts',
      'NODE_PATH=.',
    ].join('\n'),
  },
};

/** Ways to start the tool that guides, `next` and the file itself have. Each is a line for a shell. */
const STARTS = {
  'as the guides do': `${BUN} ${TOOL}`,
  'with the whole path of a file elsewhere': `${BUN} "$ELSEWHERE/${TOOL}"`,
  'as a program': `./${TOOL}`,
  'as a link in the path': 'svc',
  'with Node': `node ${TOOL}`,
};

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')));
  for (const folder of ['bin', 'elsewhere', 'top/below']) mkdirSync(join(base, folder), { recursive: true });
  for (const folder of ['elsewhere', 'top', 'top/below']) {
    copyFileSync(bundleOf('0.4.0'), join(base, folder, TOOL));
    chmodSync(join(base, folder, TOOL), 0o755);
  }
  symlinkSync(bun.program, join(base, 'bin/bun'));
  symlinkSync(node.program, join(base, 'bin/node'));
  symlinkSync(join(base, 'elsewhere', TOOL), join(base, 'bin/svc'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function plant(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries({ ...files, 'evil.ts': EVIL })) {
    const file = join(base, 'top', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  }
}

/** Runs a line in the planted folder or below it. Returns what it wrote to standard error. */
function run(line: string, folder = 'top'): Promise<string> {
  const env = {
    PATH: `${join(base, 'bin')}:${process.env['PATH']}`,
    HOME: base,
    MARK: join(base, 'was-run'),
    ELSEWHERE: join(base, 'elsewhere'),
  };
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: join(base, folder), env }, (_, __, stderr) => resolve(stderr));
  });
}

const wasRun = (): boolean => existsSync(join(base, 'was-run'));

describe('a folder of strangers', () => {
  it.each(Object.entries(PLANTS))('runs nothing before the tool: %s', async (_, files) => {
    plant(files);
    for (const [name, start] of Object.entries(STARTS)) {
      for (const folder of ['top', 'top/below']) {
        const stderr = await run(`${start} workspace status`, folder);
        expect([name, folder, stderr, wasRun()]).toEqual([
          name,
          folder,
          expect.stringContaining('(no_workspace)\nnext: '),
          false,
        ]);
      }
    }
  });

  it.each(['a tsconfig.json', 'a jsconfig.json', 'a bunfig.toml'] as const)(
    'could run code before a tool that is started without options: %s',
    async (name) => {
      plant(PLANTS[name]);
      await run(`bun ${TOOL} workspace status`);
      expect(wasRun()).toBe(true);
    },
  );

  it('runs nothing before the command that the tool names as the next one', async () => {
    const [, next = ''] = /^next: (.+)$/m.exec(await run(`bun ${TOOL} workspace status`)) ?? [];
    expect(next).toMatch(/ help workspace create$/);
    plant({ ...PLANTS['a tsconfig.json'], ...PLANTS['a bunfig.toml'] });
    expect(await run(next)).toBe('');
    expect(wasRun()).toBe(false);
  });
});
