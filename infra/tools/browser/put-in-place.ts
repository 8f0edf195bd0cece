import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Built, DIGEST_FILE, ROOT, sourceDigest } from './digest.ts';

/**
 * Builds into a folder beside the last build, then puts it in that place. A process that starts in the meantime reads either
 * of them.
 *
 * @param make writes the files into a folder
 */
export async function buildInPlace(built: Built, make: (folder: string) => Promise<void>): Promise<void> {
  const digest = sourceDigest(built);
  const place = join(ROOT, built.folder);
  mkdirSync(dirname(place), { recursive: true });
  // With the mode of other folders: another user may run the service.
  const made = join(dirname(place), `made-${randomUUID()}`);
  mkdirSync(made);
  try {
    await make(made);
    writeFileSync(join(made, DIGEST_FILE), digest);
    replace(built, made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Puts a build in the place of the last one. If two processes build at once, either build stays. */
function replace(built: Built, made: string): void {
  const place = join(ROOT, built.folder);
  const old = `${made}-old`;
  try {
    renameSync(place, old);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    renameSync(made, place);
  } catch (error) {
    // The other build is there already, and of the same sources.
    if (readFileSync(join(place, DIGEST_FILE), 'utf8') !== sourceDigest(built)) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
