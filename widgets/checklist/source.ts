import type { Progress } from '../../schemas/activate/http.ts';
import { complain } from '../shared/root.ts';
import { progressOf, type Refused } from './progress.ts';

/** The pause between two reads of a page that is visible. */
const POLL_MS = 30_000;
/** The number of reads for one mount, refreshes included. */
const ATTEMPTS_MAX = 30;
/** After a failure the pause grows by `Retry-After` and, at random, by up to this number of {@link POLL_MS}. */
const SPREAD_MAX = 4;

const OVER = Infinity;

/** The state that a mount shows: progress, `unreachable` before there is any, `ended` for good, or `loading`. */
export type View = Progress | 'loading' | 'unreachable' | 'ended';

/**
 * Shows a view of a source.
 *
 * @param canRetry false if the mount has used all of its attempts
 * @param isFirst true for one of the mounts that show the same source: it tells the page what is new
 */
export type Show = (view: View, canRetry: boolean, isFirst: boolean) => void;

interface Watcher {
  readonly show: Show;
  /** The attempts that are left. */
  left: number;
}

/** One session and one poll, which mounts with the same session path share. */
interface Source {
  join(watcher: Watcher): void;
  /** Without a watcher it stops. One that joins again continues with its session. */
  leave(watcher: Watcher): void;
  refresh(watcher: Watcher): Promise<void>;
}

/** The sources that are watched, by session path. */
const sources = new Map<string, Source>();

/** Prepares the place of a mount that is not on the page yet. With `join` it begins, `leave` stops it, and it can join again. */
export function watch(path: string, show: Show) {
  const watcher = { show, left: ATTEMPTS_MAX };
  let source = makeSource(path);
  return {
    join: (): void => {
      source = sources.get(path) ?? source;
      source.join(watcher);
    },
    leave: (): void => source.leave(watcher),
    refresh: (): Promise<void> => source.refresh(watcher),
  };
}

export function isProgress(view: View): view is Progress {
  return typeof view === 'object';
}

function makeSource(path: string): Source {
  const watchers = new Set<Watcher>();
  let read = progressOf(path);
  let view: View = 'loading';
  let running: Promise<void> | null = null;
  let dueAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showAll = (): void => {
    let isFirst = true;
    for (const { show, left } of watchers) {
      show(view, left > 0, isFirst);
      isFirst = false;
    }
  };
  const schedule = (): void => {
    clearTimeout(timer);
    const isIdle = dueAt < OVER && running === null && !document.hidden;
    if (isIdle && [...watchers].some(({ left }) => left > 0))
      timer = setTimeout(attempt, Math.max(0, dueAt - performance.now()));
  };
  const fail = ({ status = 0, retryMs = 0 }: Partial<Refused>): void => {
    if (status < 400 || status >= 500 || status === 429) {
      dueAt += retryMs + POLL_MS * SPREAD_MAX * Math.random();
      if (!isProgress(view)) view = 'unreachable';
      return;
    }
    read = progressOf(path);
    view = 'ended';
    dueAt = OVER;
    // A page whose visitor has signed out is no fault of its author.
    if (status !== 401) complain(`SvcActivate.mount ${status}`);
  };
  const attempt = async (): Promise<void> => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.left -= 1;
    dueAt = performance.now() + POLL_MS;
    running = read().then(
      (found) => {
        view = found ?? view;
        if (isProgress(view) && view.complete) dueAt = OVER;
      },
      (error) => fail(Object(error)),
    );
    await running;
    running = null;
    showAll();
    schedule();
  };
  const source: Source = {
    join(watcher) {
      sources.set(path, source);
      document.addEventListener('visibilitychange', schedule);
      watchers.add(watcher);
      // A new mount tries again.
      if (view === 'ended' && watcher.left === ATTEMPTS_MAX) {
        view = 'loading';
        dueAt = 0;
      }
      showAll();
      schedule();
    },
    leave(watcher) {
      if (!watchers.delete(watcher) || watchers.size > 0) return;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', schedule);
      sources.delete(path);
    },
    async refresh(watcher) {
      // A read under way may have left the server before the milestone arrived there.
      await running;
      if (!watchers.has(watcher) || watcher.left < 1) return;
      dueAt = 0;
      // In a hidden page the read waits until it is visible.
      if (!document.hidden) await (running ?? attempt());
    },
  };
  return source;
}
