import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MS_MAX = 10 * 60_000;

/** Python 3.10 is the oldest that schemathesis runs on; `ensurepip` is what Debian keeps in `python3-venv`. */
const PROBE = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** True if this machine has a Python that can make virtual environments. */
export function hasPython(): boolean {
  return spawnSync('python3', ['-c', PROBE], { stdio: 'ignore' }).status === 0;
}

/**
 * Returns the path of the `st` program of the pinned schemathesis. Installs it in the user's cache folder, outside of the
 * repository, unless the same requirements were installed there before.
 *
 * @throws {Error} when it cannot be installed.
 */
export function installSchemathesis(): string {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'svc', `schemathesis-${digest}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    // What an interrupted installation left behind.
    rmSync(folder, { recursive: true, force: true });
    run('python3', ['-m', 'venv', folder]);
    run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '--requirement', REQUIREMENTS]);
    writeFileSync(complete, '');
  }
  return join(folder, 'bin', 'st');
}

function run(command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { timeout: INSTALL_MS_MAX, encoding: 'utf8' });
  if (status !== 0) throw new Error(`installing schemathesis: ${error?.message ?? stderr}`);
}
