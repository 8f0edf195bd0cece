/**
 * Milliseconds after which work leaves the page's thread to other tasks. The last step of a slice takes a few more, so that no slice
 * takes as long as a frame.
 */
export const SLICE_MS = 3;
/** Rows between two looks at the clock. */
const SLICE_ROWS = 64;

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

/** The rows that a condition keeps, in their order. */
export function* filtered<Row>(
  rows: readonly Row[],
  keeps: (row: Row, at: number) => boolean,
): Generator<void, Row[]> {
  const kept: Row[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as Row;
    if (keeps(row, at)) kept.push(row);
    if (at % SLICE_ROWS === 0) yield;
  }
  return kept;
}

/** A result for each row. */
export function* mapped<Row, Result>(
  rows: readonly Row[],
  make: (row: Row) => Result,
): Generator<void, Result[]> {
  const made: Result[] = [];
  yield* filtered(rows, (row) => made.push(make(row)) < 0);
  return made;
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
