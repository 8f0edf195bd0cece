import { type ListedRow, Rows } from './row-list.ts';

/**
 * Milliseconds after which work leaves the page's thread to other tasks. The last step of a slice takes a few more, so that no slice
 * takes as long as a frame.
 */
const SLICE_MS = 3;
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

/** Acts on each row. */
export function* each(rows: Rows, act: (row: ListedRow, at: number) => void): Generator<void, void> {
  for (let at = 0; at < rows.length; at += 1) {
    act(rows.at(at) as ListedRow, at);
    if (at % SLICE_ROWS === 0) yield;
  }
}

/** The rows that a condition keeps, in their order. */
export function* filtered(rows: Rows, keeps: (row: ListedRow, at: number) => boolean): Generator<void, Rows> {
  const kept = new Rows();
  yield* each(rows, (row, at) => {
    if (keeps(row, at)) kept.push(row, row.line);
  });
  return kept;
}

/** The starts of rows. */
export function* startsOf(rows: Rows): Generator<void, Set<number>> {
  const starts = new Set<number>();
  yield* each(rows, ({ start }) => starts.add(start));
  return starts;
}

/** Resolves in a later task. A timer would wait for four milliseconds after the first few, but some workers have only that. */
function otherTasks(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === 'undefined') {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
