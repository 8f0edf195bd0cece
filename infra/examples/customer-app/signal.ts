/** Wakes one waiter before its timeout. */
export class Signal {
  #rung = false;
  #wake: (() => void) | null = null;

  /** Ends the wait, or the next one if nothing waits. */
  notify(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
