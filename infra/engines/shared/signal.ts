/** Wakes one waiter. A notification without a waiter is kept for the next wait. */
export class Signal {
  #notified = false;
  #wake: (() => void) | null = null;

  notify(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Forgets the notifications so far. */
  reset(): void {
    this.#notified = false;
  }

  /** Resolves with true on a notification, or with false after `timeoutMs`; null disables the timeout. */
  wait(timeoutMs: number | null): Promise<boolean> {
    if (this.#notified) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = timeoutMs === null ? undefined : setTimeout(() => end(false), timeoutMs);
      const end = (notified: boolean): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(notified);
      };
      this.#wake = () => end(true);
    });
  }
}
