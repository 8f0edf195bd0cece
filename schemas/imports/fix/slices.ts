import { type ListedRow, Rows } from './row-list.ts';
import { STEP_CHARACTERS } from './steps.ts';

/**
 * Milliseconds after which work leaves the page's thread to other tasks. The last step of a slice takes a few more, so that no slice
 * takes as long as a frame.
 */
const SLICE_MS = 3;
/** The characters for which a row counts, whatever its length. */
const ROW_CHARACTERS = 512;

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

/** Acts on each row, up to one for which that returns true. Returns its place, or -1. */
export function* each(
  rows: Rows,
  act: (row: ListedRow, at: number) => unknown,
  isBackwards = false,
): Generator<void, number> {
  let left = 0;
  for (let passed = 0; passed < rows.length; passed += 1) {
    const at = isBackwards ? rows.length - 1 - passed : passed;
    const row = rows.at(at) as ListedRow;
    if (act(row, at) === true) return at;
    left -= ROW_CHARACTERS + row.end - row.start;
    if (left > 0) continue;
    left = STEP_CHARACTERS;
    yield;
  }
  return -1;
}

/** The place of the last row that meets a condition, or -1. */
export function lastIndex(rows: Rows, meets: (row: ListedRow) => boolean): Generator<void, number> {
  return each(rows, meets, true);
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
    if (globalThis.MessageChannel === undefined) {
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
