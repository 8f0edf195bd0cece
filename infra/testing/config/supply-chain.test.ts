import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Licences under which a package may be part of what is given out. */
const GIVEN_OUT = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Unlicense',
];
/** Further ones, of packages with which the service is only built and tested. */
const TOOLS = [
  ...['MPL-2.0', '0BSD', 'CC0-1.0', 'Python-2.0', 'PSF-2.0'],
  ...['MIT OR Apache-2.0', 'Apache-2.0 AND MIT', '(MIT OR CC0-1.0)'],
];

/** The name of a package in an import of values. */
const IMPORTED = /^(?:import|export)\s(?!type\b)[^;]*?from '((?:@[\w-]+\/)?[\w:-][\w:.-]*)[^']*'/gm;

const packageSchema = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
  link: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
});
const lock = z
  .object({ packages: z.record(z.string(), packageSchema) })
  .parse(JSON.parse(read('package-lock.json')));
const { allowScripts } = z
  .object({ allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(read('package.json')));

/** The packages that npm installs from a registry, by their names. */
const installed = Object.entries(lock.packages).flatMap(([path, entry]) => {
  const at = path.lastIndexOf('node_modules/');
  return at < 0 || entry.link ? [] : [{ ...entry, name: path.slice(at + 'node_modules/'.length) }];
});

const componentsSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string() })),
});

describe('the packages of the lock file', () => {
  it('are each told by a SHA-512, and by no host', () => {
    expect(installed.length).toBeGreaterThan(100);
    for (const { name, integrity, resolved } of installed) {
      expect(integrity, name).toMatch(/^sha512-/);
      expect(resolved, name).toBeUndefined();
    }
  });

  it('have licences that allow what is done with them', () => {
    const refused = installed
      .filter(({ license = '', dev }) => ![...GIVEN_OUT, ...(dev ? TOOLS : [])].includes(license))
      .map(({ name, license }) => `${name}: ${license}`);
    expect(refused).toEqual([]);
  });

  it('run no script when they are installed but those that package.json decides about', () => {
    const scripted = installed.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect([...new Set(scripted)].sort()).toEqual(Object.keys(allowScripts).sort());
  });

  it('are in the list that the image has: those of production, those in its scripts, and no other', () => {
    const [, files = '', command = ''] =
      /^WORKDIR \/list\nCOPY (.+) \.\/\nRUN (.+)$/m.exec(read('infra/deployment/Dockerfile')) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'svc-list-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of files.split(' ')) copyFileSync(join(ROOT, file), join(folder, basename(file)));
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
    const list = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'));
    const names = new Set(componentsSchema.parse(list).components.map(({ name }) => name));
    const production = new Set(installed.filter(({ dev }) => !dev).map(({ name }) => name));
    expect([...production].filter((name) => !names.has(name))).toEqual([]);
    const served = bundledPackages();
    expect([...served]).toEqual(expect.arrayContaining(['preact', 'zod', 'commander', 'minisearch']));
    expect([...names].filter((name) => !production.has(name)).sort()).toEqual(
      [...withTheirs(served)].filter((name) => !production.has(name)).sort(),
    );
    const refused = installed
      .filter(({ name, license = '' }) => names.has(name) && !GIVEN_OUT.includes(license))
      .map(({ name, license }) => `${name}: ${license}`);
    expect(refused).toEqual([]);
  });
});

it('the scripts of the console go with the licences of the packages in them', () => {
  const headings = [...read('widgets/dist/console/LICENSES.md').matchAll(/^## (\S+) - .+ \((.+)\)$/gm)];
  const names = headings.map(([, name = '']) => name);
  expect(names).toEqual(
    expect.arrayContaining(['preact', 'wouter-preact', '@tanstack/preact-query', '@zag-js/menu']),
  );
  expect(headings.filter(([, , licence = '']) => !GIVEN_OUT.includes(licence))).toEqual([]);
});

/** The packages that the sources of what browsers and customers get import, as values. */
function bundledPackages(): ReadonlySet<string> {
  const sources = globSync('{cli,schemas,widgets}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/{dist,node_modules,testing}', '**/*.{test,fixture,d}.ts', '**/vite.config.ts'],
  });
  const imported = sources.flatMap((file) => [...read(file).matchAll(IMPORTED)].map(([, name = '']) => name));
  return new Set(imported.filter((name) => !name.startsWith('node:')));
}

/** With the packages that these depend on. */
function withTheirs(names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const entries = installed.filter((each) => each.name === name);
    if (found.has(name) || entries.length === 0) return;
    found.add(name);
    for (const each of entries.flatMap(({ dependencies }) => Object.keys(dependencies))) add(each);
  };
  for (const name of names) add(name);
  return found;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
