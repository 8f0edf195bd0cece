/** Something that is waited for, for a time at most. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  /** Ends the wait, or the next one if there is none. */
  ring(): void {
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
