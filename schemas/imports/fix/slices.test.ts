import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { NO_CHOICES } from './findings.ts';
import { LIMITS } from './fixed.fixture.ts';
import { inSlices } from './slices.ts';

const MEBIBYTE = 1_048_576;

describe('inSlices', () => {
  it('returns the result of the work, and lets other tasks run before the end', async () => {
    const seen: string[] = [];
    function* work(): Generator<void, string> {
      while (!seen.includes('task')) yield;
      return 'done';
    }
    setTimeout(() => seen.push('task'));
    expect(await inSlices(work(), new AbortController().signal)).toBe('done');
  });

  it('ends the work once it is aborted', async () => {
    const abort = new AbortController();
    function* endless(): Generator<void, never> {
      for (;;) yield;
    }
    setTimeout(() => abort.abort(new Error('gone')));
    await expect(inSlices(endless(), abort.signal)).rejects.toThrow('gone');
  });
});

describe('examine', () => {
  it('can be interrupted after every small part of a file', () => {
    const bytes = Buffer.from(`a;b;c\n${'1;2;3\n'.repeat(MEBIBYTE / 12)}`, 'utf16le');
    const work = examine(bytes, NO_CHOICES, LIMITS);
    let steps = 0;
    while (work.next().done !== true) steps += 1;
    // Decoding, reading and writing, each in parts of at most 128 KiB.
    expect(steps).toBeGreaterThan((2.5 * bytes.length) / (128 * 1_024));
  });
});
