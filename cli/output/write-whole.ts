import { writeSync } from 'node:fs';

export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/** Tries to write to a pipe whose reader is slower. */
const WRITES_MAX = 10_000;
const FULL_PIPE_MS = 5;

/** Writes a text to a file descriptor. Opening the streams of the process takes longer than all of the help. */
export function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  for (let writes = 0; rest.length > 0 && writes < WRITES_MAX; writes += 1) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      // The reader has closed it, as `head` does.
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
}
