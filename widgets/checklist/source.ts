import { complain } from '../shared/root.ts';
import {
  openSession,
  type Progress,
  type Read,
  type Refused,
  readProgress,
  type Session,
} from './progress.ts';

/** The pause between two reads of a page that is visible. */
const POLL_MS = 30_000;
/** The number of reads for one mount, refreshes included. */
const ATTEMPTS_MAX = 30;
/** After failures in a row a pause grows by up to this number of {@link POLL_MS}, at random. */
const SPREAD_MAX = 8;

/** The state that a mount shows: progress, `unreachable` before there is any, `ended` for good, or `loading`. */
export type View = Progress | 'loading' | 'unreachable' | 'ended';

/** A mount that looks at a source. */
export interface Watcher {
  /** False once the page has removed the element; then the source stops for it. */
  isHere(): boolean;
  /** @param canRetry false if the mount has used all of its attempts */
  show(view: View, canRetry: boolean): void;
}

/** A mount's place at a source. */
export interface Watch {
  refresh(): Promise<void>;
  leave(): void;
}

/** By session path. Mounts with the same path share one source, so one session and one poll. */
const sources = new Map<string, Source>();

/** Joins the source of a session path. The first one starts it; with the last one it ends, and its token is gone. */
export function watch(path: string, watcher: Watcher): Watch {
  const source = sources.get(path) ?? new Source(path);
  sources.set(path, source);
  return source.join(watcher);
}

export function isProgress(view: View): view is Progress {
  return typeof view === 'object';
}

class Source {
  readonly #path: string;
  /** With the attempts that each has left. */
  readonly #watchers = new Map<Watcher, number>();
  #session: Session | null = null;
  #etag = '';
  #view: View = 'loading';
  #failures = 0;
  #isOver = false;
  #running: Promise<void> | null = null;
  #dueAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string) {
    this.#path = path;
    document.addEventListener('visibilitychange', this.#schedule);
  }

  join(watcher: Watcher): Watch {
    this.#watchers.set(watcher, ATTEMPTS_MAX);
    if (this.#view === 'ended') {
      this.#view = 'loading';
      this.#due();
    }
    watcher.show(this.#view, true);
    this.#schedule();
    return { leave: () => this.#leave(watcher), refresh: () => this.#refresh(watcher) };
  }

  #due(): void {
    this.#isOver = false;
    this.#dueAt = 0;
  }

  async #refresh(watcher: Watcher): Promise<void> {
    // A read under way may have left the server before the milestone arrived there.
    await this.#running;
    if (!this.#watchers.get(watcher)) return;
    this.#due();
    // In a hidden page the read waits until it is visible.
    if (!document.hidden) await (this.#running ?? this.#attempt());
  }

  readonly #schedule = (): void => {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#running !== null || document.hidden) return;
    if ([...this.#watchers.values()].some((left) => left > 0)) {
      this.#timer = setTimeout(() => this.#attempt(), Math.max(0, this.#dueAt - performance.now()));
    }
  };

  async #attempt(): Promise<void> {
    clearTimeout(this.#timer);
    for (const [watcher, left] of this.#watchers) {
      if (!watcher.isHere()) this.#leave(watcher);
      else if (left > 0) this.#watchers.set(watcher, left - 1);
    }
    if (this.#watchers.size === 0) return;
    this.#dueAt = performance.now() + POLL_MS;
    this.#running = this.#read().catch((error) => this.#fail(Object(error)));
    await this.#running;
    this.#running = null;
    for (const [watcher, left] of this.#watchers) watcher.show(this.#view, left > 0);
    this.#schedule();
  }

  async #read(): Promise<void> {
    const known = this.#session;
    const found = await this.#ask().catch((error) => {
      // A token ends after minutes. A token that is new and refused ends the matter.
      if (known === null || Object(error).status !== 401) throw error;
      this.#session = null;
      return this.#ask();
    });
    this.#failures = 0;
    this.#etag = found.etag;
    this.#view = found.progress ?? this.#view;
    this.#isOver = isProgress(this.#view) && this.#view.complete;
  }

  async #ask(): Promise<Read> {
    this.#session ??= await openSession(this.#path);
    return await readProgress(this.#session, this.#etag);
  }

  #fail({ status = 0, retryMs = 0 }: Partial<Refused>): void {
    if (status >= 400 && status < 500 && status !== 429) {
      this.#session = null;
      this.#etag = '';
      this.#view = 'ended';
      // A page whose visitor has signed out is no fault of its author.
      if (status !== 401) complain(`SvcActivate.mount ${status}`);
      this.#isOver = true;
      return;
    }
    this.#failures += 1;
    const spreadMs = POLL_MS * Math.random() * Math.min(2 * this.#failures, SPREAD_MAX);
    this.#dueAt = performance.now() + Math.max(POLL_MS, retryMs) + spreadMs;
    if (!isProgress(this.#view)) this.#view = 'unreachable';
  }

  #leave(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#schedule);
    sources.delete(this.#path);
  }
}
