/** Wakes one waiter. A ring that nobody waits for is kept for the next wait, so none is lost in between. */
export class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Forgets the rings so far. */
  reset(): void {
    this.#rung = false;
  }

  /** Resolves with true as soon as the bell is rung, or with false after `timeoutMs`; null waits for the ring alone. */
  wait(timeoutMs: number | null): Promise<boolean> {
    if (this.#rung) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = timeoutMs === null ? undefined : setTimeout(() => end(false), timeoutMs);
      const end = (rung: boolean): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(rung);
      };
      this.#wake = () => end(true);
    });
  }
}
