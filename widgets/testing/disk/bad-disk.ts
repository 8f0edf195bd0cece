import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PRELOAD = new URL('./bad-disk-preload.ts', import.meta.url).href;

/**
 * The disk of a service that is started with {@link environment}. Reads that begin behind a place in a file fail until the disk is
 * mended, and the service repeats them: so a validation stands still at a part that a test chooses.
 */
export class BadDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bad-disk-'));
  readonly #file = join(this.#folder, 'bad-from');

  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, BAD_DISK_FILE: this.#file };
  }

  /** Lets every read fail from now on that begins at this byte of a file, or behind it. */
  breakFrom(byte: number): void {
    writeFileSync(this.#file, String(byte));
  }

  mend(): void {
    rmSync(this.#file, { force: true });
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
