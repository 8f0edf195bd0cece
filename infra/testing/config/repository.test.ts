import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const files = sourceFiles();

/** Further facts belong into decision records and the reference. */
const ARCHITECTURE_BYTES_MAX = 8 * 1024;

/** Everything at the root of the repository. New files belong below one of these folders. */
const TOP_LEVEL = new Set([
  ...['schemas', 'topics', 'gateway', 'processors', 'infra', 'cli', 'widgets', '.ci'],
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', '.env.example'],
  ...['.biome.json', '.dependency-cruiser.mjs', '.editorconfig', '.gitattributes', '.gitignore', '.npmrc'],
]);

describe('the repository', () => {
  it('keeps its top level small', () => {
    const topLevel = new Set(files.map((path) => path.split('/')[0]!));
    expect([...topLevel].filter((name) => !TOP_LEVEL.has(name))).toEqual([]);
  });

  it('leaves no note of unfinished work behind', () => {
    expect(filesMatching(/\b(TO[D]O|FIX[M]E)\b/)).toEqual([]);
  });

  it('names no home folder of a machine', () => {
    expect(filesMatching(/(^|[\s'"`=:(])(\/(home|Users)\/\w|\/root\b|[A-Z]:\\Users\\)/m)).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = readJson<{ scripts: Record<string, string> }>('package.json');
    const guides = files
      .filter((path) => path.endsWith('.md'))
      .map(read)
      .join('\n');
    const named = [...guides.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      (match) => match[1] ?? match[2]!,
    );
    expect(named).toContain('demo');
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the documents', () => {
  const documents = files.filter((path) => path.endsWith('.md'));

  it.each(documents)('%s names only files and folders that exist', (path) => {
    const named = [
      ...read(path).matchAll(/`((?:schemas|topics|gateway|processors|infra|\.ci)\/[^`\s#:]*)`/g),
    ];
    const missing = named
      .map(([, name = '']) => name)
      .filter((name) => globSync(patternOf(name), { cwd: root }).length === 0);
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s links only to files and headings that exist', (path) => {
    const links = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !leadsSomewhere(path, link));
    expect(broken).toEqual([]);
  });
});

it('cites in its comments only documents and headings that exist', () => {
  const citing = files.filter((path) => /\.(ts|mjs|lua|cql)$/.test(path));
  const broken = citing.flatMap((path) =>
    [...read(path).matchAll(/\binfra\/docs\/[\w./-]+\.md(?:#[\w-]+)?/g)]
      .filter(([link]) => !leadsSomewhere('ARCHITECTURE.md', link))
      .map(([link]) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('keeps ARCHITECTURE.md short enough to be read in one sitting', () => {
  expect(statSync(join(root, 'ARCHITECTURE.md')).size).toBeLessThanOrEqual(ARCHITECTURE_BYTES_MAX);
});

/** A path of a document as a pattern: `<product>`, `{a,b}` and `*` stand for what can be there. */
function patternOf(name: string): string {
  return name.replaceAll(/<[^>]*>/g, '*').replace(/\/$/, '');
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```.*?^ *```/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

/** True if a relative link of a document names a file, and its anchor a heading of that file. */
function leadsSomewhere(path: string, link: string): boolean {
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? path : join(dirname(path), name);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || headingsOf(target).has(anchor);
}

/** The anchors that GitHub gives the headings of a document. */
function headingsOf(path: string): Set<string> {
  const headings = [
    ...read(path)
      .replaceAll(/^ *```.*?^ *```/gms, '')
      .matchAll(/^#+ (.+)$/gm),
  ];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the tests', () => {
  it('live in files that the runner finds', () => {
    const declaring = filesMatching(/import \{[^}]*\b(it|test)\b[^}]*\} from 'vitest'/);
    expect(declaring).not.toEqual([]);
    expect(declaring.filter((path) => !/\.(test|contract)\.ts$/.test(path))).toEqual([]);
  });

  it('run every contract against an implementation', () => {
    // A large contract is made of others.
    const tests = files
      .filter((path) => /\.(test|contract)\.ts$/.test(path))
      .map(read)
      .join('\n');
    const contracts = files.filter((path) => path.endsWith('.contract.ts'));
    expect(contracts.filter((path) => !tests.includes(`/${path.split('/').at(-1)}'`))).toEqual([]);
  });
});

interface LockedPackage {
  readonly resolved?: string;
  /** True for a package of the workspace: `resolved` is its folder. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('the lock file', () => {
  const { packages } = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');

  it('names no registry', () => {
    const { workspaces } = readJson<{ workspaces: string[] }>('package.json');
    const resolved = Object.values(packages).filter((locked) => locked.resolved !== undefined);
    expect(resolved).toEqual(workspaces.map((folder) => ({ resolved: folder, link: true })));
  });

  it('locks the optional packages of every platform, so that `npm ci` works on each', () => {
    const wanted = Object.values(packages).flatMap((locked) =>
      Object.keys(locked.optionalDependencies ?? {}),
    );
    expect(wanted).not.toEqual([]);
    const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
    expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
  });

  it('is what package.json asks for, by exact versions', () => {
    const manifest =
      readJson<Record<'dependencies' | 'devDependencies', Record<string, string>>>('package.json');
    const { dependencies, devDependencies } = manifest;
    expect(packages['']).toMatchObject({ dependencies, devDependencies });
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

/** Paths of all tracked files, relative to the root. Other files in the folder are their user's. */
function sourceFiles(): string[] {
  const listing = execFileSync('git', ['ls-files', '-z'], { cwd: root });
  return listing
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function readJson<T>(path: string): T {
  return JSON.parse(read(path)) as T;
}

function filesMatching(pattern: RegExp): string[] {
  return files.filter((path) => path !== 'package-lock.json' && pattern.test(read(path)));
}
