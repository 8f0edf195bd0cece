import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../../tools/service-process/service-process.ts';

const PRELOAD = new URL('stepped-clock-preload.fixture.ts', import.meta.url).href;
const SET_MS_MAX = 90_000;
const POLL_INTERVAL_MS = 10;

/** The clock of a real process, which a test sets forward and back while it runs. */
export class SteppedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stepped-clock-'));
  readonly #file = join(this.#folder, 'milliseconds');

  /** @param offsetMs how far the clock is off from the beginning, in milliseconds */
  constructor(offsetMs = 0) {
    writeFileSync(this.#file, String(offsetMs));
  }

  /** Environment variables for the process. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${PRELOAD}`, STEPPED_CLOCK_FILE: this.#file };
  }

  /** Sets the clock off by milliseconds, and resolves when the process goes by it. */
  async set(service: ServiceProcess, offsetMs: number): Promise<void> {
    const before = service.output.length;
    writeFileSync(this.#file, String(offsetMs));
    const said = `clock is off by ${offsetMs} ms\n`;
    const deadline = performance.now() + SET_MS_MAX;
    while (!service.output.slice(before).includes(said)) {
      if (performance.now() > deadline) throw new Error('stepping the clock of a process');
      await pause(POLL_INTERVAL_MS);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
