import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settlesWithin, withTimeout } from './timeout.ts';

const never = new Promise<never>(() => {});
const late = () => new Error('late');

describe('withTimeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('returns what the promise resolves with, and leaves no timer', async () => {
    expect(await withTimeout(1_000, Promise.resolve(7), late)).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws what the promise rejects with, and leaves no timer', async () => {
    await expect(withTimeout(1_000, Promise.reject(new Error('its own')), late)).rejects.toThrow('its own');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws the error of `late` after the time, and not before', async () => {
    const waiting = withTimeout(1_000, never, late);
    const settled = vi.fn();
    waiting.then(settled, settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).not.toHaveBeenCalled();
    const rejection = expect(waiting).rejects.toThrow('late');
    // The timer, and the two turns of the event loop after it.
    await vi.advanceTimersByTimeAsync(3);
    await rejection;
  });

  it('takes a result that is there when a busy process reaches the timer late', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = withTimeout(1_000, promise, late);
    setImmediate(() => resolve('arrived'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toBe('arrived');
  });
});

describe('settlesWithin', () => {
  it('returns true for a promise that resolves or rejects in time', async () => {
    expect(await settlesWithin(1_000, Promise.resolve())).toBe(true);
    expect(await settlesWithin(1_000, Promise.reject(new Error('its own')))).toBe(true);
  });

  it('returns false for one that does not', async () => {
    expect(await settlesWithin(1, never)).toBe(false);
  });
});
