import type { Schemas } from '../../../api/interface.ts';
import { Problem } from '../../../api/problem.ts';

export type Row = Schemas['ImportRow'];

/** Reads one page of at most this many rows from the service. */
export type FetchRows = (cursor: string, limit: number) => Promise<Schemas['ImportRowList']>;

/** The rows of one request: the largest page of the service. */
export const ROWS_A_PAGE = 100;

/** The rows of the first request: those that are drawn before a scroll. Answers are not compressed, and rows are long. */
export const FIRST_ROWS = 27;

/** Pages that stay in memory. Of more, those farthest from the viewport are dropped and read again when they are shown. */
const PAGES_KEPT = 20;

/** Requests under way. Pages that are scrolled past meanwhile are never asked for. */
const REQUESTS_AT_ONCE = 2;

/** Rows beyond the viewport that are loaded ahead, once the list is scrolled. */
const ROWS_AHEAD = 60;

/** The longest wait before a request that the service's rate limit refused is sent again. */
const RATE_WAIT_MS_MAX = 60_000;

const SECOND_MS = 1_000;

interface Page {
  readonly cursor: string;
  /** The rows that it may have. */
  readonly limit: number;
  /** The position of its first row in the list. */
  readonly first: number;
  /** The number of its rows; null before it was read for the first time. */
  count: number | null;
  /** Null before it is read, and again after it is dropped. */
  rows: readonly Row[] | null;
  isLoading: boolean;
}

/**
 * The rows of an import by their position in a list, loaded a page at a time around the viewport. A list of all rows knows its
 * pages from the start, so that any place can be jumped to. A narrowed list learns the next page from the one before; its pages may
 * be short or empty.
 */
export class RowPages {
  readonly #fetch: FetchRows;
  readonly #pages: Page[];
  readonly #listeners = new Set<() => void>();
  #isComplete: boolean;
  #viewport = { first: 0, last: 0 };
  #requests = 0;
  #error: Error | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isDisposed = false;
  #version = 0;
  #outlineVersion = 0;

  /** @param total the number of rows where the list holds all of them; null for a narrowed list */
  constructor(fetch: FetchRows, total: number | null) {
    this.#fetch = fetch;
    this.#isComplete = total !== null;
    this.#pages = total === null ? [newPage('0', FIRST_ROWS, 0, null)] : allPages(total);
  }

  /** The rows that are known to be there. */
  get length(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : last.first + (last.count ?? 0);
  }

  /** False while further rows may follow. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get error(): Error | null {
    return this.#error;
  }

  /** The number of pages in memory. */
  get pagesKept(): number {
    return this.#pages.filter(({ rows }) => rows !== null).length;
  }

  /** Changes whenever something else can be shown. */
  readonly version = (): number => this.#version;

  /** Changes with the length, the completeness and the error. */
  readonly outlineVersion = (): number => this.#outlineVersion;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The row at a position; null while it is not loaded. */
  row(index: number): Row | null {
    const page = this.#pageAt(index);
    return page?.rows?.[index - page.first] ?? null;
  }

  /** The position of the row with this number, if that is known. */
  indexOf(row: number): number | null {
    for (const page of this.#pages) {
      const at = page.rows?.findIndex((each) => each.row === row) ?? -1;
      if (at !== -1) return page.first + at;
    }
    return null;
  }

  /** Says which positions are seen. They, and some rows around them, are loaded; pages far away are dropped. */
  show(first: number, last: number): void {
    this.#viewport = { first, last };
    this.#pump();
  }

  /** Asks again after an error. */
  retry(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#error = null;
    this.#outlineVersion += 1;
    this.#changed();
    this.#pump();
  }

  /** Stops. Answers that are still under way change nothing. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** The last page that begins at or before a position: only that one can have it. */
  #pageAt(index: number): Page | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pages[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return this.#pages[low];
  }

  #pump(): void {
    while (this.#requests < REQUESTS_AT_ONCE && this.#error === null && !this.#isDisposed) {
      const page = this.#wanted();
      if (page === undefined) return;
      void this.#load(page);
    }
  }

  /** The next page to ask for: one that is seen, one around it, or the next one of the list when its end is near. */
  #wanted(): Page | undefined {
    const { first, last } = this.#viewport;
    const rowsAhead = first > 0 ? ROWS_AHEAD : 0;
    const missing = (ahead: number) =>
      this.#pages.find(
        (page) =>
          page.rows === null &&
          !page.isLoading &&
          page.count !== null &&
          page.first <= last + ahead &&
          page.first + page.count > first - ahead,
      );
    const seen = missing(0) ?? missing(rowsAhead);
    if (seen !== undefined) return seen;
    const next = this.#pages.at(-1);
    const isNear = last + 1 + rowsAhead >= this.length;
    return next !== undefined && next.count === null && !next.isLoading && isNear ? next : undefined;
  }

  async #load(page: Page): Promise<void> {
    page.isLoading = true;
    this.#requests += 1;
    try {
      const { rows, nextCursor } = await this.#fetch(page.cursor, page.limit);
      if (this.#isDisposed) return;
      const isNew = page.count === null;
      page.rows = rows;
      page.count = rows.length;
      if (isNew) this.#append(page, nextCursor);
      this.#dropFar();
    } catch (error) {
      if (this.#isDisposed) return;
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      page.isLoading = false;
      this.#requests -= 1;
    }
    this.#changed();
    this.#pump();
  }

  #append(page: Page, nextCursor: string | null): void {
    this.#outlineVersion += 1;
    if (nextCursor === null) this.#isComplete = true;
    else this.#pages.push(newPage(nextCursor, ROWS_A_PAGE, page.first + (page.count ?? 0), null));
  }

  #fail(error: Error): void {
    this.#error = error;
    this.#outlineVersion += 1;
    if (!(error instanceof Problem) || error.code !== 'rate_limited') return;
    const waitMs = Math.min((error.retryAfterSeconds ?? 1) * SECOND_MS, RATE_WAIT_MS_MAX);
    this.#timer = setTimeout(() => this.retry(), waitMs);
  }

  #dropFar(): void {
    const { first, last } = this.#viewport;
    const center = (first + last) / 2;
    const distance = (page: Page) => Math.abs(page.first + (page.count ?? 0) / 2 - center);
    const loaded = this.#pages.filter(({ rows }) => rows !== null);
    loaded.sort((left, right) => distance(right) - distance(left));
    for (const page of loaded.slice(0, Math.max(0, loaded.length - PAGES_KEPT))) page.rows = null;
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

function newPage(cursor: string, limit: number, first: number, count: number | null): Page {
  return { cursor, limit, first, count, rows: null, isLoading: false };
}

/** The pages of all rows: rows are numbered from 1 without gaps, and the cursor is the row before the page. */
function allPages(total: number): Page[] {
  const pages: Page[] = [];
  for (let first = 0; first < total; ) {
    const count = Math.min(first === 0 ? FIRST_ROWS : ROWS_A_PAGE, total - first);
    pages.push(newPage(String(first), count, first, count));
    first += count;
  }
  return pages;
}
