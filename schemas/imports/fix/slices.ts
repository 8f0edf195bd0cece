/**
 * The longest that work occupies the page's thread before other tasks get it, in milliseconds. A task of more than 50 ms
 * would delay what the user does; a step takes at most a few milliseconds beyond this.
 */
export const SLICE_MS = 12;

/** Runs work in slices, with other tasks of the page between them. Rejects once the signal is aborted. */
export async function inSlices<Result>(work: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    const begun = performance.now();
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() - begun < SLICE_MS);
    await otherTasks();
    signal.throwIfAborted();
  }
}

/** Resolves in a later task. A timer would wait for four milliseconds after the first few. */
function otherTasks(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
