import type { Browser, Page } from 'playwright-core';

/** Chromium's category for the tasks of a thread. */
const TASKS = 'disabled-by-default-devtools.timeline';

/** The parts that are read here of an event of a trace (Trace Event Format). */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Resolves with the CPU milliseconds of each task that the page's main thread ran meanwhile. */
export async function tasksDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: [TASKS] });
  let trace: Buffer;
  try {
    await act();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString());
  const tasks = busiest(mainThreads(traceEvents));
  if (tasks.length === 0) throw new Error('tracing the main thread: no task seen');
  return tasks;
}

/** The CPU milliseconds of tasks by main thread. Processes in reserve have one too. */
function mainThreads(events: readonly TraceEvent[]): number[][] {
  const threads = new Map<string, number[]>();
  for (const { name, pid, tid, args } of events) {
    if (name === 'thread_name' && args?.name === 'CrRendererMain') threads.set(`${pid}/${tid}`, []);
  }
  for (const { name, ph, pid, tid, tdur } of events) {
    if (name === 'RunTask' && ph === 'X' && tdur !== undefined) {
      threads.get(`${pid}/${tid}`)?.push(tdur / 1_000);
    }
  }
  return [...threads.values()];
}

/** The page's thread: the one that has done most. */
function busiest(threads: readonly number[][]): number[] {
  return threads.reduce((most, each) => (total(each) > total(most) ? each : most), []);
}

/** The sum of values. */
export function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}
