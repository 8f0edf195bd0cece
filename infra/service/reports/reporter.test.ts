import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import {
  type ProcessReport,
  REPORT_INTERVAL_MS,
  REPORT_LIFETIME_MS,
} from '../../../schemas/operations/process-report.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Log } from '../../../topics/ports/log.ts';
import { EmbeddedProcessReports } from '../../engines/embedded/process-reports.ts';
import { reportOf } from '../../testing/contracts/process-reports.contract.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';
import { ConsumerWatch } from './consumer-watch.ts';
import { type BoardOptions, ProcessBoard } from './process-board.ts';
import { Reporter } from './reporter.ts';
import { RequestWindow } from './request-window.ts';
import { Tally } from './tally.ts';

let isAway: boolean;
beforeEach(() => {
  isAway = false;
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => vi.useRealTimers());

const unlessAway = async <Value>(value: Value): Promise<Value> => {
  if (isAway) throw new EngineUnavailableError('log');
  return value;
};

const now = () => Date.now();

/** Blobs of which there are none. */
const blobs: BoardOptions['blobs'] = {
  create: () => {
    throw new EngineUnavailableError('blobs');
  },
  read: async () => null,
};

/** A process with one consumer, whose engine can be away, and what it publishes. */
async function started() {
  const kept = new EmbeddedProcessReports({ now });
  const processReports = {
    publish: async (report: ProcessReport, lifetimeMs: number) =>
      await kept.publish(await unlessAway(report), lifetimeMs),
    list: async () => await unlessAway(await kept.list()),
  };
  const watch = new ConsumerWatch();
  const status = () =>
    unlessAway([{ topic: 'activate' as const, partition: 3, records: 9, lag: 2, halted: null }]);
  const log: Log = { append: async () => {}, consume: async () => ({ status, stop: async () => {} }) };
  await watch.watching(log).consume({
    group: 'fold',
    topic: 'activate',
    batchRecordsMax: 1,
    open: () => {
      throw new Error('opening no partition');
    },
  });
  const logger = runtimeLogger(createLogger({ level: 'silent' }));
  const tally = new Tally(DEFAULT_LIMITS, now);
  const reporter = new Reporter({
    identity: { processId: 'a', roles: ['gateway'], version: '1', nodeVersion: '24', startedAt: now() },
    engine: {
      parts: [{ name: 'kafka', answers: () => unlessAway(undefined) }],
      processReports,
      room: () => 'ample' as const,
    },
    watch,
    requests: new RequestWindow(now),
    tally,
    trouble: () => null,
    hasBrowser: () => null,
    now,
    logger,
  });
  reporter.start();
  await vi.advanceTimersByTimeAsync(0);
  const board = new ProcessBoard({
    reports: processReports,
    blobs,
    own: () => reporter.latest,
    tally,
    now,
    logger,
  });
  return { reporter, kept, board };
}

it('a process reports itself at intervals, and at its end', async () => {
  const { reporter, kept } = await started();
  const begun = now();
  await vi.advanceTimersByTimeAsync(REPORT_INTERVAL_MS);
  const [report] = await kept.list();
  expect(report).toMatchObject({
    processId: 'a',
    at: begun + REPORT_INTERVAL_MS,
    isStopping: false,
    engines: [{ name: 'kafka', isUp: true, since: begun }],
    consumers: { at: begun + REPORT_INTERVAL_MS, list: [{ topic: 'activate', lag: 2, records: 9 }] },
  });
  await reporter.stop();
  await vi.advanceTimersByTimeAsync(REPORT_LIFETIME_MS - 1);
  expect(await kept.list()).toMatchObject([{ isStopping: true, consumers: { list: [{ lag: 2 }] } }]);
});

it('while engines are away, the numbers that they told are kept with their time', async () => {
  const { reporter, kept, board } = await started();
  await kept.publish(reportOf('b', { at: now() }), 60_000);
  const before = await board.read();
  expect(before).toMatchObject({ isCurrent: true, readAt: now() });
  const told = now();
  isAway = true;
  await vi.advanceTimersByTimeAsync(2 * REPORT_INTERVAL_MS);
  const { isCurrent, readAt, reports } = await board.read();
  expect([isCurrent, readAt, reports.map(({ processId }) => processId)]).toEqual([false, told, ['a', 'b']]);
  expect(reports[0]).toMatchObject({
    at: now(),
    engines: [{ isUp: false, since: told + REPORT_INTERVAL_MS }],
    consumers: { at: told, list: [{ lag: 2 }] },
  });
  isAway = false;
  await vi.advanceTimersByTimeAsync(REPORT_INTERVAL_MS);
  expect(await board.read()).toMatchObject({ isCurrent: true, readAt: now() });
  await reporter.stop();
});

it('a report names what is counted of the latest minute by class of time', () => {
  let elapsed = 0;
  const requests = new RequestWindow(() => elapsed);
  const answer = (path: string, status: number, ms: number) =>
    requests.answered({ route: { method: 'GET', path }, status, code: null, ms });
  answer('/livez', 200, 1);
  answer('/v1/check', 200, 0.5);
  answer('/v1/ops/switches', 503, 9_000);
  elapsed = 5_000;
  const { windowMs, checks, others } = requests.read();
  expect([windowMs, checks.answers.at(0), checks.errors, others.answers.at(-1), others.errors]).toEqual([
    ...[5_000, 1, 0],
    ...[1, 1],
  ]);
  for (let read = 0; read < 12; read += 1) requests.read();
  expect(Math.max(...requests.read().checks.answers)).toBe(0);
});
