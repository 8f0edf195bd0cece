import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeWhole } from './write-whole.ts';

/** More than a pipe holds. */
const TEXT = 'a line of the output\n'.repeat(20_000);

describe('writeWhole', () => {
  let folder: string;
  let pipe: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-pipe-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  });

  /** Passes the pauses, and reads from the pipe in each behind that many. Returns what was read. */
  function readAfter(pauses: number): () => string {
    const read: Buffer[] = [];
    let passed = 0;
    vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      passed += 1;
      if (passed > pauses) readOnce();
      return 'timed-out';
    });
    function readOnce(): void {
      const bytes = Buffer.alloc(65_536);
      read.push(bytes.subarray(0, readSync(pipe, bytes)));
    }
    return () => {
      while (Buffer.concat(read).length < TEXT.length) readOnce();
      return Buffer.concat(read).toString();
    };
  }

  it('writes everything to a reader that begins after minutes, as a pager does', () => {
    const whole = readAfter(1_000);
    writeWhole(pipe, TEXT);
    expect(whole()).toBe(TEXT);
  });

  it('throws, and does not end with half of the text, if nothing reads', () => {
    readAfter(Number.POSITIVE_INFINITY);
    expect(() => writeWhole(pipe, TEXT)).toThrow('EAGAIN');
  });
});
