import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** Files that are built from sources. */
export interface Built {
  /** In a sentence. */
  readonly title: string;
  /** Relative to the repository. Git ignores it. */
  readonly folder: string;
  /** Files, and folders with everything in them. */
  readonly sources: readonly string[];
}

/** The console of owners. */
export const CONSOLE: Built = {
  title: 'the console',
  folder: 'widgets/dist/console',
  sources: [
    'package-lock.json',
    'infra/tools/interface/openapi.snap.json',
    'infra/tools/browser',
    'schemas/csv',
    'schemas/imports',
    'widgets/console',
    'widgets/import',
    'widgets/shared',
  ],
};

/** The scripts for pages of customers. */
export const WIDGETS: Built = {
  title: 'the widgets',
  folder: 'widgets/dist/widgets',
  sources: [
    'package-lock.json',
    'infra/tools/browser',
    'schemas/csv',
    'schemas/imports',
    'widgets/shared',
    'widgets/checklist',
    'widgets/import',
    'widgets/feedback',
  ],
};

/** The command-line tool and the client library, as they are downloaded. */
export const CLI: Built = {
  title: 'the command-line tool and the client library',
  folder: 'cli/dist/downloads',
  sources: ['package-lock.json', 'infra/tools/browser', 'cli', 'schemas'],
};

/** The documentation site, the first page included. */
export const SITE: Built = {
  title: 'the documentation',
  folder: 'widgets/dist/docs',
  sources: [
    'package-lock.json',
    'infra/tools/interface/openapi.snap.json',
    'infra/tools/browser',
    'infra/tools/site',
    'infra/docs',
    'widgets/docs',
    'widgets/console/style',
    'widgets/console/icon.svg',
    'widgets/console/parts/frame/theme.ts',
    'schemas/base/errors.ts',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'SECURITY.md',
    '.env.example',
  ],
};

/** Files beside the sources that are in no build. */
const NOT_BUILT = /\.(test|fixture|bench)\.tsx?$|(^|\/)dist\//;

/** The file in a built folder that says what it was built from. */
export const DIGEST_FILE = 'digest';

/** Returns a digest of everything that something is built from. Takes a few milliseconds. */
export function sourceDigest({ sources }: Built): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    const bytes = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** `fresh`: built from the sources as they are. `stale`: built from others. */
export function builtState(built: Built): 'fresh' | 'stale' | 'missing' {
  const file = join(ROOT, built.folder, DIGEST_FILE);
  if (!existsSync(file)) return 'missing';
  return readFileSync(file, 'utf8') === sourceDigest(built) ? 'fresh' : 'stale';
}

function filesOf(source: string): string[] {
  const folder = join(ROOT, source);
  if (!existsSync(folder)) return [];
  if (statSync(folder).isFile()) return [source];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((file) => !NOT_BUILT.test(file))
    .sort();
}
