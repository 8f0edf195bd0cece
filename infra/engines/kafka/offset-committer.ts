/** How soon after the first of them offsets are committed together. A crash repeats what was handled meanwhile. */
export const COMMIT_INTERVAL_MS = 200;

/** Attempts to commit what is left when partitions are given back. */
const FLUSH_ATTEMPTS_MAX = 3;

/** Offsets by partition: everything below is done for good. */
export type Watermarks = ReadonlyMap<number, number>;

/**
 * Commits how far the partitions of one generation of a group have come: for all of them together, one request at a
 * time, never by a handler's leave. What could not be committed is tried again with what came after it.
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

  /** Commits what is left, as far as that is possible, and nothing any more afterwards. */
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
      // What a partition has reached meanwhile stands: it is further.
      this.#pending = new Map([...watermarks, ...this.#pending]);
      this.#onFailure(error);
      if (!this.#closed) this.#timer ??= setTimeout(() => void this.#run(), COMMIT_INTERVAL_MS);
    }
  }
}
