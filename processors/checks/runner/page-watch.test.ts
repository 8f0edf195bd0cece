import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../../schemas/checks/results.ts';
import { noCounts, watchPage } from './page-watch.ts';

describe('watchPage', () => {
  function watched() {
    const clear = vi.fn(async () => undefined);
    const page = Object.assign(new EventEmitter(), { clearConsoleMessages: clear, clearPageErrors: clear });
    const ends: Failure[] = [];
    const counts = noCounts();
    watchPage(page as unknown as Page, { counts, end: (failure) => ends.push(failure) });
    const say = (text: string) =>
      page.emit('console', { type: () => 'log', text: () => text, location: () => ({ url: '' }) });
    return { page, say, ends, counts, clear };
  }

  it('ends a run once its pages wrote too many messages or errors, and drops each', () => {
    const { page, say, ends, counts, clear } = watched();
    for (let sent = 0; sent < 1_000; sent += 1) say('again');
    for (let sent = 0; sent < 999; sent += 1) page.emit('pageerror', new Error('again'));
    expect(ends).toEqual([]);
    for (let sent = 0; sent < 10; sent += 1) say('again');
    expect(ends.map(({ reason }) => reason)).toEqual(['quota']);
    expect(counts).toMatchObject({ consoleErrors: 999, exceptions: 999 });
    expect(clear).toHaveBeenCalledTimes(2 * 2_009);
  });

  it('ends a run once its messages are too long together', () => {
    const { page, say, ends } = watched();
    const long = 'x'.repeat(700_000);
    say(long);
    page.emit('pageerror', new Error(long));
    expect(ends).toEqual([]);
    say(long);
    expect(ends.map(({ reason }) => reason)).toEqual(['quota']);
  });
});
