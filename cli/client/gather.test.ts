import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gather, HELD_MS } from './gather.ts';

/** Requests that end when a test says so. */
class Requests {
  readonly sent: (readonly number[])[] = [];
  readonly #ends: (() => void)[] = [];

  send = (items: readonly number[]): Promise<void> => {
    this.sent.push(items);
    return new Promise((resolve) => this.#ends.push(resolve));
  };

  /** Ends a request, and waits for the turn after it. */
  async end(index: number): Promise<void> {
    this.#ends[index]?.();
    await turn();
    await turn();
  }
}

describe('gather', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends an item at once if nothing is under way, and gathers what comes meanwhile', async () => {
    const requests = new Requests();
    const add = gather(requests.send, 10);
    for (const item of [1, 2, 3]) add(item);
    expect(requests.sent).toEqual([[1]]);
    await requests.end(0);
    expect(requests.sent).toEqual([[1], [2, 3]]);
    await requests.end(1);
    add(4);
    expect(requests.sent).toEqual([[1], [2, 3], [4]]);
  });

  it('sends items of callers that were just answered together', async () => {
    const requests = new Requests();
    const add = gather(async (items: readonly number[]) => {
      await requests.send(items);
      for (const item of items) add(item + 10);
    }, 10);
    add(1);
    add(2);
    await requests.end(0);
    expect(requests.sent).toEqual([[1], [2, 11]]);
    await requests.end(1);
    expect(requests.sent.at(-1)).toEqual([12, 21]);
  });

  it('sends a full request without waiting', () => {
    const requests = new Requests();
    const add = gather(requests.send, 2);
    for (const item of [1, 2, 3, 4, 5, 6]) add(item);
    expect(requests.sent).toEqual([[1], [2, 3], [4, 5]]);
  });

  it('waits for a request that hangs for a bounded time', async () => {
    const requests = new Requests();
    const add = gather(requests.send, 10);
    for (const item of [1, 2]) add(item);
    vi.advanceTimersByTime(HELD_MS - 1);
    await turn();
    expect(requests.sent).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    await turn();
    expect(requests.sent).toEqual([[1], [2]]);
    add(3);
    await requests.end(0);
    expect(requests.sent).toHaveLength(2);
    await requests.end(1);
    expect(requests.sent.at(-1)).toEqual([3]);
  });
});
