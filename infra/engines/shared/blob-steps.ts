import type { ByteRange } from '../../../topics/ports/blobs.ts';

/** The steps of one blob writer. Each runs alone, and none follows a failed one or the last one. */
export class BlobSteps {
  #state: 'open' | 'busy' | 'closed' | 'failed' = 'open';

  /** True after the last step. */
  get areOver(): boolean {
    return this.#state === 'closed';
  }

  async run(step: () => Promise<void>): Promise<void> {
    await this.#exclusively(step);
    this.#state = 'open';
  }

  async runLast(step: () => Promise<void>): Promise<void> {
    await this.#exclusively(step);
    this.#state = 'closed';
  }

  abort(): void {
    this.#state = 'failed';
  }

  async #exclusively(step: () => Promise<void>): Promise<void> {
    if (this.#state !== 'open') throw new Error(`writing to a blob writer that is ${this.#state}`);
    this.#state = 'busy';
    try {
      await step();
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }
}

/** Returns the part of a range that a blob of this length has. */
export function storedRange(length: number, range?: ByteRange): ByteRange {
  return { start: Math.max(0, range?.start ?? 0), end: Math.min(length, range?.end ?? length) };
}
