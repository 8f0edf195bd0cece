import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../../api/problem.ts';
import { type FetchRows, FIRST_ROWS, type Row, RowPages } from './row-pages.ts';
import { drawnRows } from './row-window.ts';

function row(number: number): Row {
  return { row: number, line: number + 1, source: [`${number}`], values: null, errors: [], moreErrors: 0 };
}

function numbers(first: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => row(first + index));
}

/** A service with these rows. It answers at once. */
function source(total: number, matches: (number: number) => boolean = () => true) {
  const asked: string[] = [];
  const fetch: FetchRows = async (cursor, limit) => {
    asked.push(cursor);
    const after = Number(cursor);
    const rows = numbers(after + 1, Math.min(limit, total - after)).filter((each) => matches(each.row));
    return { rows, nextCursor: after + limit < total ? String(after + limit) : null };
  };
  return { asked, fetch };
}

/** Resolves once every answer that is under way has arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

afterEach(() => {
  vi.useRealTimers();
});

describe('RowPages of all rows', () => {
  it('jumps to any place without reading what is before it', async () => {
    const { asked, fetch } = source(10_000);
    const pages = new RowPages(fetch, 10_000);
    expect(pages.length).toBe(10_000);
    pages.show(5_000, 5_020);
    await settled();
    expect(asked.map(Number).sort((left, right) => left - right)).toEqual([4_927, 5_027]);
    expect(pages.row(5_010)?.row).toBe(5_011);
    expect(pages.row(0)).toBeNull();
    expect(pages.indexOf(5_001)).toBe(5_000);
  });

  it('loads the next page before the end of the one that is seen', async () => {
    const { asked, fetch } = source(1_000);
    const pages = new RowPages(fetch, 1_000);
    pages.show(60, 66);
    await settled();
    expect(asked).toEqual(['27', '0']);
    pages.show(80, 99);
    await settled();
    expect(asked).toEqual(['27', '0', '127']);
  });

  it('reads a short first page, and nothing ahead of it, before the list is scrolled', async () => {
    const { asked, fetch } = source(1_000);
    const pages = new RowPages(fetch, 1_000);
    // The rows that the highest window draws.
    expect(drawnRows(0, 660, 1_000, null)).toEqual({ first: 0, end: FIRST_ROWS });
    pages.show(0, 26);
    await settled();
    expect([asked, pages.row(26)?.row, pages.row(27)]).toEqual([['0'], 27, null]);
    pages.show(4, 32);
    await settled();
    expect([asked, pages.row(126)?.row]).toEqual([['0', '27'], 127]);
  });

  it('keeps a bounded number of pages, those around the viewport', async () => {
    const { asked, fetch } = source(10_000);
    const pages = new RowPages(fetch, 10_000);
    for (let first = 0; first < 10_000; first += 50) {
      pages.show(first, first + 20);
      await settled();
    }
    expect(pages.pagesKept).toBe(20);
    expect(pages.row(0)).toBeNull();
    expect(pages.row(9_999)?.row).toBe(10_000);
    const before = asked.length;
    pages.show(0, 20);
    await settled();
    expect(asked.slice(before)).toEqual(['0']);
    expect(pages.row(0)?.row).toBe(1);
  });

  it('asks for two pages at once at most, and not for those that were scrolled past', async () => {
    const asked: string[] = [];
    const letGo: (() => void)[] = [];
    const fetch: FetchRows = async (cursor, limit) => {
      asked.push(cursor);
      await new Promise<void>((resolve) => letGo.push(resolve));
      return { rows: numbers(Number(cursor) + 1, limit), nextCursor: null };
    };
    const pages = new RowPages(fetch, 10_000);
    for (let first = 0; first < 5_000; first += 100) pages.show(first, first + 90);
    expect(asked).toEqual(['0', '27']);
    for (const go of letGo.splice(0)) go();
    await settled();
    expect(asked.slice(0, 4)).toEqual(['0', '27', '4827', '4927']);
  });
});

describe('RowPages of a narrowed list', () => {
  it('passes over empty pages until rows are found, and knows its end', async () => {
    const { asked, fetch } = source(1_000, (number) => number > 650 && number <= 660);
    const pages = new RowPages(fetch, null);
    pages.show(0, 20);
    await settled();
    expect(asked).toHaveLength(11);
    expect([pages.length, pages.isComplete]).toEqual([10, true]);
    expect(pages.row(0)?.row).toBe(651);
    expect(pages.row(9)?.row).toBe(660);
    expect(pages.row(10)).toBeNull();
  });

  it('reads no further than some rows ahead', async () => {
    const { asked, fetch } = source(10_000, (number) => number % 2 === 0);
    const pages = new RowPages(fetch, null);
    pages.show(0, 19);
    await settled();
    expect(asked).toEqual(['0', '27']);
    expect([pages.length, pages.isComplete]).toEqual([63, false]);
  });
});

describe('RowPages after an error', () => {
  function failing(error: Error) {
    let fails = true;
    const { fetch } = source(100);
    const pages = new RowPages(
      (cursor, limit) => (fails ? Promise.reject(error) : fetch(cursor, limit)),
      100,
    );
    const recover = () => {
      fails = false;
    };
    return { pages, recover };
  }

  const limited = new Problem({
    code: 'rate_limited',
    status: 429,
    message: '',
    requestId: null,
    retryAfterSeconds: 7,
  });

  it('waits for the person', async () => {
    const { pages, recover } = failing(new Error('down'));
    pages.show(0, 20);
    await settled();
    expect(pages.error?.message).toBe('down');
    recover();
    pages.retry();
    await settled();
    expect([pages.error, pages.row(0)?.row]).toEqual([null, 1]);
  });

  it('continues by itself after the time that a rate limit names', async () => {
    vi.useFakeTimers();
    const { pages, recover } = failing(limited);
    pages.show(0, 20);
    await settled();
    expect(pages.error).toBe(limited);
    recover();
    await vi.advanceTimersByTimeAsync(6_999);
    expect(pages.row(0)).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect([pages.error, pages.row(0)?.row]).toEqual([null, 1]);
  });
});
