import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGuide } from '../../docs/guide-code.fixture.ts';
import { writeClient } from './build-client.ts';
import { CLI, ROOT } from './digest.ts';

const GZIP_BYTES_MAX = 12 * 1_024;
const EXAMINE_GZIP_BYTES_MAX = 24 * 1_024;
const MODULE = 'svc-client-v0.1.0';
const EXAMINE = 'svc-client-examine-v0.1.0';
const PACKAGE = 'svc-client-0.1.0.tgz';
const MODULES = [MODULE, EXAMINE];
const RELEASED = [...MODULES.flatMap((module) => [`${module}.js`, `${module}.d.ts`]), PACKAGE];
const BUILT = join(ROOT, CLI.folder);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-client-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('writeClient', () => {
  it('makes the same bytes in another folder, which are the bytes that are served', async () => {
    const root = join(folder, 'a-much-longer-name');
    const made = join(root, 'made');
    mkdirSync(made, { recursive: true });
    for (const sources of ['cli/client', 'schemas']) {
      cpSync(join(ROOT, sources), join(root, sources), { recursive: true });
    }
    cpSync(join(ROOT, 'LICENSE'), join(root, 'LICENSE'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    await writeClient(root, made);
    expect(readdirSync(made)).toEqual(expect.arrayContaining(RELEASED));
    for (const name of readdirSync(made)) {
      const bytes = readFileSync(join(made, name));
      expect(readFileSync(join(BUILT, name)).equals(bytes), name).toBe(true);
      expect(bytes.includes(folder), name).toBe(false);
    }
  });

  it('writes checksums that sha256sum reads', () => {
    for (const name of RELEASED) {
      const digest = createHash('sha256')
        .update(readFileSync(join(BUILT, name)))
        .digest('hex');
      expect(readFileSync(join(BUILT, `${name}.sha256`), 'utf8')).toBe(`${digest}  ${name}\n`);
    }
  });

  it.each([
    { module: MODULE, bytesMax: GZIP_BYTES_MAX },
    { module: EXAMINE, bytesMax: EXAMINE_GZIP_BYTES_MAX },
  ])(
    'makes $module small and without imports, and its declarations without imports',
    ({ module, bytesMax }) => {
      const code = readFileSync(join(BUILT, `${module}.js`), 'utf8');
      expect(gzipSync(code).length).toBeLessThanOrEqual(bytesMax);
      for (const end of ['.js', '.d.ts']) {
        expect(readFileSync(join(BUILT, module + end), 'utf8')).not.toMatch(
          /^import |\bimport\(|\brequire\(/m,
        );
      }
    },
  );

  it.each([
    { module: MODULE, about: 'One module without dependencies' },
    { module: EXAMINE, about: '`svc-client/examine` reads a CSV file' },
  ])('makes $module as large as the guide says', ({ module, about }) => {
    const guide = readGuide('client.md').replaceAll(/\s+/g, ' ');
    const [, said] = /It has (\d+) KB with gzip/.exec(guide.slice(guide.indexOf(about))) ?? [];
    const kilobytes = gzipSync(readFileSync(join(BUILT, `${module}.js`))).length / 1_024;
    expect(Math.abs(Number(said) - kilobytes)).toBeLessThan(1);
  });

  it('makes parts that a bundler leaves out if they are not used', async () => {
    const module = join(BUILT, `${MODULE}.js`);
    const sizes = new Map<string, number>();
    for (const name of ['SvcError', 'limiter', 'events', 'delivery']) {
      const entry = join(folder, `${name}.js`);
      writeFileSync(entry, `export { ${name} } from ${JSON.stringify(module)};\n`);
      const built = await rolldown({ input: entry, platform: 'neutral', logLevel: 'warn' });
      const { output } = await built.generate({ format: 'esm', minify: true });
      sizes.set(name, output[0].code.length);
    }
    expect(sizes.get('SvcError')).toBeLessThan(1_000);
    expect(sizes.get('limiter')).toBeLessThan(12_800);
    expect(sizes.get('events')).toBeLessThan(8_200);
    expect(sizes.get('delivery')).toBeLessThan(9_200);
  });

  it('makes a package that npm installs, Node imports and requires, and TypeScript knows', () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const npm = ['install', '--offline', '--no-audit', '--no-fund', join(BUILT, PACKAGE)];
    execFileSync('npm', npm, { cwd: project, stdio: 'pipe' });
    const program = `import { limiter, type Decision } from 'svc-client';
import { examine, type Finding } from 'svc-client/examine';
const limits = limiter({ key: 'svc_limiter_test_${'x'.repeat(32)}', baseUrl: 'https://api.example.com', onNoAnswer: 'allow' });
export const decide = (): Promise<Decision> => limits.check({ namespace: 'a', identifier: 'b', limit: 1, window: 1 });
const examined = await examine(new TextEncoder().encode('a;b\\n1;2\\n'));
const findings: readonly Finding[] = examined?.findings ?? [];
console.log(typeof decide, ...findings.map(({ kind }) => kind));
`;
    writeFileSync(join(project, 'main.ts'), program);
    const options = { cwd: project, encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, ['main.ts'], options)).toBe('function separator\n');
    const strict = '--strict --noEmit --module nodenext --target es2022 --lib es2022,dom --types';
    const tsc = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...strict.split(' '), '', 'main.ts'];
    expect(execFileSync(process.execPath, tsc, options)).toBe('');
    const required = `const { limiter } = require('svc-client');
const { examine } = require('svc-client/examine');
console.log(typeof limiter, typeof examine);`;
    writeFileSync(join(project, 'main.cjs'), required);
    expect(execFileSync(process.execPath, ['main.cjs'], options)).toBe('function function\n');
    // A required choice is required by the types, too.
    writeFileSync(join(project, 'main.ts'), program.replace(", onNoAnswer: 'allow'", ''));
    expect(() => execFileSync(process.execPath, tsc, { ...options, stdio: 'pipe' })).toThrow();
  });
});
