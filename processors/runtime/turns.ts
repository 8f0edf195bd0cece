/** Commands after which other work gets its turn: folding as many takes a millisecond or two. */
const TURN_COMMANDS = 64;

interface Waiting {
  readonly commands: number;
  readonly begin: () => void;
}

/**
 * Shares the event loop between the aggregates that a process folds at the same time.
 *
 * Parsing and folding wait for nothing, so without turns all of them would fold one after the other before any of their
 * commits is written to its socket: first the store would have nothing to do, then this process. With turns one commit
 * is under way while the next batch is folded, and less is held at a time.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #left = TURN_COMMANDS;
  #isNextDue = false;

  /**
   * Resolves when a batch of this number of commands may be folded: at once while the turn has not had {@link TURN_COMMANDS}, else
   * in its order. As many wait as there are lanes that fold.
   */
  async take(commands: number): Promise<void> {
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
    // The driver writes what a turn has committed in its own immediate, which runs between these two.
    setImmediate(() => setImmediate(() => this.#beginNext()));
  }

  #beginNext(): void {
    this.#isNextDue = false;
    this.#left = TURN_COMMANDS;
    while (this.#left > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#grant(next.commands);
      next.begin();
    }
  }
}
