import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PRELOAD = new URL('./clock-behind.ts', import.meta.url).href;

const LOOK_AGAIN_MS = 5;
const LOOKS_MAX = 4_000;

/**
 * The clock of a service that is started with {@link environment}. It stands behind the machine's, and is brought forward: so
 * calls of the last hours and days are made in the hours and days that they count in.
 */
export class ServiceClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'shots-clock-'));
  readonly #file = join(this.#folder, 'behind-ms');

  /** @param behindMs of the service when it starts */
  constructor(behindMs: number) {
    this.#write(behindMs);
  }

  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, SHOTS_CLOCK_FILE: this.#file };
  }

  /** Sets how far the clock stands behind. Resolves when the service goes by it. */
  async set(behindMs: number): Promise<void> {
    this.#write(behindMs);
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      if (Number(readFileSync(`${this.#file}.read`, 'utf8')) === behindMs) return;
      await delay(LOOK_AGAIN_MS);
    }
    throw new Error('waiting for the clock of the service');
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(behindMs: number): void {
    // The service never reads half a number.
    const next = `${this.#file}.next`;
    writeFileSync(next, String(behindMs));
    renameSync(next, this.#file);
  }
}
