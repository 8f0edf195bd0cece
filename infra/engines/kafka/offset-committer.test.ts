import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMIT_INTERVAL_MS, OffsetCommitter, type Watermarks } from './offset-committer.ts';

describe('OffsetCommitter', () => {
  let commits: Record<number, number>[];
  let failures: unknown[];
  let answer: (watermarks: Watermarks) => Promise<void>;
  let committer: OffsetCommitter;
  beforeEach(() => {
    vi.useFakeTimers();
    commits = [];
    failures = [];
    answer = async () => undefined;
    committer = new OffsetCommitter(
      async (watermarks) => {
        commits.push(Object.fromEntries(watermarks));
        await answer(watermarks);
      },
      (error) => failures.push(error),
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('commits the newest offset of every partition together', async () => {
    committer.mark(0, 5);
    committer.mark(1, 7);
    committer.mark(0, 9);
    await vi.advanceTimersByTimeAsync(COMMIT_INTERVAL_MS);
    expect(commits).toEqual([{ 0: 9, 1: 7 }]);
    await vi.advanceTimersByTimeAsync(10 * COMMIT_INTERVAL_MS);
    expect(commits).toHaveLength(1);
  });

  it('retries a failed commit together with later offsets', async () => {
    answer = async () => {
      committer.mark(0, 9);
      answer = async () => undefined;
      throw new Error('reaching the coordinator');
    };
    committer.mark(0, 5);
    committer.mark(1, 7);
    await vi.advanceTimersByTimeAsync(2 * COMMIT_INTERVAL_MS);
    expect(commits).toEqual([
      { 0: 5, 1: 7 },
      { 0: 9, 1: 7 },
    ]);
    expect(failures).toHaveLength(1);
  });

  it('commits the remaining offsets when it closes, and nothing afterwards', async () => {
    committer.mark(0, 5);
    await committer.close();
    committer.mark(0, 6);
    await vi.advanceTimersByTimeAsync(10 * COMMIT_INTERVAL_MS);
    expect(commits).toEqual([{ 0: 5 }]);
  });

  it('stops after its last attempt when it closes', async () => {
    answer = async () => {
      throw new Error('reaching the coordinator');
    };
    committer.mark(0, 5);
    await committer.close();
    expect(commits).toEqual([{ 0: 5 }, { 0: 5 }, { 0: 5 }]);
    expect(failures).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
