import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { hasCommit, readBase } from '../../tools/interface/base.ts';

/** The sources under test. */
export const CURRENT_SOURCES = resolve(import.meta.dirname, '../../..');

/**
 * The commit of the latest release (`infra/tools/interface/base.json`), or null where this clone lacks it. Then one line says so.
 */
export function releaseCommit(): string | null {
  const { commit } = readBase();
  if (hasCommit(commit)) return commit;
  process.stdout.write(
    `Left out: the upgrade from the latest release, ${commit}: this clone has no such commit.\n`,
  );
  return null;
}

/** The sources of a commit in a separate folder, ready to be started. */
export class Release {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes the sources of a commit, with their packages. */
  static of(commit: string): Release {
    const folder = mkdtempSync(join(tmpdir(), 'svc-release-'));
    const archive = join(folder, 'sources.tar');
    execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: CURRENT_SOURCES });
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    rmSync(archive);
    if (hasPackagesOf(folder))
      symlinkSync(join(CURRENT_SOURCES, 'node_modules'), join(folder, 'node_modules'));
    else execFileSync('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder, stdio: 'pipe' });
    return new Release(folder);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Makes the tables of a cluster as the sources in a folder do. */
export function migrateBy(folder: string, environment: Readonly<Record<string, string>>): void {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const { ops, migrate = `${ops} migrate` } = scripts;
  const [, ...words] = migrate.split(' ');
  execFileSync(process.execPath, words, { cwd: folder, env: environment, stdio: 'pipe' });
}

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});

/** True if the packages of this checkout have all that the sources in a folder need in production, in the same versions. */
function hasPackagesOf(folder: string): boolean {
  const wanted = Object.entries(lockOf(folder)).filter(([name, { dev }]) => name !== '' && dev !== true);
  const present = lockOf(CURRENT_SOURCES);
  return wanted.every(([name, { version }]) => present[name]?.version === version);
}

function lockOf(folder: string) {
  return lockSchema.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))).packages;
}
