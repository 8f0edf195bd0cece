import type { Schemas } from '../../api/interface.ts';
import { serverNow } from '../../api/server-clock.ts';

type Run = Schemas['CheckRun'];

/** Agents and backends change origins, suites and runs at any time: the page looks this often while it is shown. */
export const WATCH_MS = 15_000;

/** Between two looks at a run that was requested a moment ago, and at one that takes longer. */
const YOUNG_POLL_MS = 1_000;
const POLL_MS = 5_000;
const YOUNG_MS = 60_000;

/** True for a run that has not ended. The service ends every run at its deadline. */
export function isOpen({ status }: Pick<Run, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/** The time until a run is looked at again; false once it has ended. */
export function pollMs(run: Pick<Run, 'status' | 'requestedAt'>, now = serverNow()): number | false {
  if (!isOpen(run)) return false;
  return now - Date.parse(run.requestedAt) < YOUNG_MS ? YOUNG_POLL_MS : POLL_MS;
}

/** The time until a list of runs in this many pages is read again. All its pages are, so that more of them are read less often. */
export function listPollMs(runs: readonly Pick<Run, 'status' | 'requestedAt'>[], pages: number): number {
  const waits = runs.map((run) => pollMs(run)).filter((wait) => wait !== false);
  return Math.min(WATCH_MS, ...waits) * Math.max(1, pages);
}
