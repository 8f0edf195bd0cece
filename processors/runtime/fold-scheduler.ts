/** Commands of one time slice. Folding them takes a millisecond or two. */
const SLICE_COMMANDS = 64;

interface Waiting {
  readonly commands: number;
  readonly begin: () => void;
}

/**
 * Shares the event loop in time slices between the aggregates that a process folds at the same time.
 *
 * Parsing and folding do not yield. Without slices, all batches would be folded before the first commit is written to its
 * socket: the store would idle first, and then this process. With slices, one batch is folded while the commit of the last
 * one is under way, and less memory is in use.
 */
export class FoldScheduler {
  readonly #waiting: Waiting[] = [];
  #left = SLICE_COMMANDS;
  #isNextDue = false;

  /**
   * Resolves when a batch of this number of commands may be folded: at once if the slice has commands left, otherwise in the
   * order of the calls. At most one caller waits for each aggregate that is being folded.
   */
  async acquire(commands: number): Promise<void> {
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#grant(commands);
      return;
    }
    await new Promise<void>((begin) => {
      this.#waiting.push({ commands, begin });
    });
  }

  #grant(commands: number): void {
    this.#left -= commands;
    if (this.#isNextDue) return;
    this.#isNextDue = true;
    // The driver writes the commits of this slice in its own immediate, which runs between these two.
    setImmediate(() => setImmediate(() => this.#beginNext()));
  }

  #beginNext(): void {
    this.#isNextDue = false;
    this.#left = SLICE_COMMANDS;
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#grant(next.commands);
      next.begin();
    }
  }
}
