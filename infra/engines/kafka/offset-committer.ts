/**
 * Interval in which offsets are gathered before they are committed together. A crash repeats the records handled
 * within it.
 */
export const COMMIT_INTERVAL_MS = 200;

/** Attempts to commit the remaining offsets when partitions are given back. */
const FLUSH_ATTEMPTS_MAX = 3;

/** Offsets by partition: every record below is handled and durable. */
export type Watermarks = ReadonlyMap<number, number>;

/**
 * Commits the offsets of all partitions of one generation of a group together, one request at a time. No handler
 * waits for it. Offsets that could not be committed are retried with the later ones.
 */
export class OffsetCommitter {
  readonly #commit: (watermarks: Watermarks) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #pending = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(commit: (watermarks: Watermarks) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#commit = commit;
    this.#onFailure = onFailure;
  }

  mark(partition: number, nextOffset: number): void {
    if (this.#closed) return;
    this.#pending.set(partition, nextOffset);
    this.#timer ??= setTimeout(() => void this.#run(), COMMIT_INTERVAL_MS);
  }

  /** Commits the remaining offsets if possible, and nothing afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    for (let attempt = 1; this.#pending.size > 0 && attempt <= FLUSH_ATTEMPTS_MAX; attempt += 1) {
      await this.#run();
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #run(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running = this.#running.then(() => this.#commitPending());
    return this.#running;
  }

  async #commitPending(): Promise<void> {
    const watermarks = this.#pending;
    if (watermarks.size === 0) return;
    this.#pending = new Map();
    try {
      await this.#commit(watermarks);
    } catch (error) {
      // An offset that a partition has reached meanwhile is later, so it wins.
      this.#pending = new Map([...watermarks, ...this.#pending]);
      this.#onFailure(error);
      if (!this.#closed) this.#timer ??= setTimeout(() => void this.#run(), COMMIT_INTERVAL_MS);
    }
  }
}
