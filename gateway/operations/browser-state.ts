import type { BrowserState } from '../../schemas/checks/browser-state.ts';
import { REPORT_INTERVAL_MS } from '../../schemas/operations/process-report.ts';
import { isGone, type ProcessReading } from './process-reading.ts';

/**
 * Returns whether a runner has a browser, by the reports of the processes. A process of an earlier version does not say so: its
 * runner counts as one with a browser.
 */
export function browserStateOf(reading: ProcessReading): BrowserState {
  const runners = reading.reports.filter(
    (report) => report.roles.includes('runner') && !report.isStopping && !isGone(report, reading),
  );
  if (runners.some(({ hasBrowser }) => hasBrowser !== false)) return 'ready';
  return reading.isCurrent ? 'missing' : 'unknown';
}

/** Returns a reader that reads the reports once in an interval, however often it is called. */
export function browserReader(
  processes: () => Promise<ProcessReading>,
  now: () => number,
): () => Promise<BrowserState> {
  let readAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<BrowserState> | null = null;
  return () => {
    if (latest === null || now() - readAt >= REPORT_INTERVAL_MS) {
      readAt = now();
      latest = processes().then(browserStateOf);
      latest.catch(() => {
        latest = null;
      });
    }
    return latest;
  };
}
