import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { BoundedReads, READ_PAUSE_MS, READ_WAIT_MS } from './bounded-reads.ts';

describe('BoundedReads', () => {
  let reads: BoundedReads;
  let begun: number;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    reads = new BoundedReads();
    begun = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const silent = () => {
    begun += 1;
    return new Promise<string>(() => undefined);
  };
  const sound = async () => {
    begun += 1;
    return 'found';
  };
  const refused = expect.any(EngineUnavailableError);
  /** Returns the result of a read by its deadline. */
  const settled = async (read: () => Promise<string>): Promise<unknown> => {
    const waiting = reads.wait(read).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(READ_WAIT_MS + 1);
    return await waiting;
  };

  it('gives up on a late read, and refuses others at once without beginning them', async () => {
    expect(await settled(silent)).toEqual(refused);
    await expect(reads.wait(silent)).rejects.toEqual(refused);
    expect(begun).toBe(1);
  });

  it('lets one try again after the pause, while the others are refused', async () => {
    await settled(silent);
    await vi.advanceTimersByTimeAsync(READ_PAUSE_MS);
    const trial = settled(silent);
    await expect(reads.wait(silent)).rejects.toEqual(refused);
    expect(await trial).toEqual(refused);
    await expect(reads.wait(silent)).rejects.toEqual(refused);
    expect(begun).toBe(2);
  });

  it('resumes with the first read that succeeds', async () => {
    await settled(silent);
    await vi.advanceTimersByTimeAsync(READ_PAUSE_MS);
    expect(await settled(sound)).toBe('found');
    expect(await Promise.all([reads.wait(sound), reads.wait(sound)])).toEqual(['found', 'found']);
  });

  it('resumes when a late read succeeds after all', async () => {
    const slow = Promise.withResolvers<string>();
    await settled(() => slow.promise);
    slow.resolve('late');
    await slow.promise;
    expect(await settled(sound)).toBe('found');
  });

  it('passes on a failure of a read, and refuses nothing because of it', async () => {
    const failed = async () => {
      throw new Error('no such key');
    };
    expect(await settled(failed)).toEqual(new Error('no such key'));
    expect(await settled(sound)).toBe('found');
  });
});
