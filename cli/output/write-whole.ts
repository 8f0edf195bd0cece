import { writeSync } from 'node:fs';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/** Pauses before a full pipe is tried again: each one is longer. */
const PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 1_000;
/** Tries in a row, which take an hour: a person may look at one page of a pager for that long. */
const FULL_PIPES_MAX = 3_600;

/**
 * Writes a text to a file descriptor. Opening the streams of the process takes longer than all of the help.
 *
 * @throws {Error} `EAGAIN` if the reader of a pipe has not read for an hour
 */
export function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  for (let fullPipes = 0; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
      fullPipes = 0;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      // The reader has closed it, as `head` does.
      if (error.code === 'EPIPE') return;
      fullPipes += 1;
      if (error.code !== 'EAGAIN' || fullPipes > FULL_PIPES_MAX) throw error;
      Atomics.wait(
        new Int32Array(new SharedArrayBuffer(4)),
        0,
        0,
        Math.min(PAUSE_MS * fullPipes, LONGEST_PAUSE_MS),
      );
    }
  }
}
