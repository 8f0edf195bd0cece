import { describe, expect, it } from 'vitest';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import {
  addCounts,
  type ConsumerReport,
  type ProcessReport,
  REPORT_FRESH_MS,
} from '../../schemas/operations/process-report.ts';
import { operationsSummarySchema } from '../../schemas/operations/summary.ts';
import { NO_TALLIES } from '../../schemas/operations/tallies.ts';
import { History } from './history.ts';
import { summaryOf } from './summary.ts';
import { topicsOf } from './topics.ts';

const NOW = Date.UTC(2026, 8, 18, 14, 32);
const LONG_AGO = NOW - REPORT_FRESH_MS - 1;

function report(processId: string, differing: Partial<ProcessReport> = {}): ProcessReport {
  return {
    processId,
    roles: ['processors'],
    version: '0.1.0',
    nodeVersion: '24.0.0',
    startedAt: NOW - MINUTE_MS,
    at: NOW - SECOND_MS,
    isStopping: false,
    trouble: null,
    busyPercent: 0,
    memoryBytes: 0,
    isShortOfRoom: false,
    engines: [],
    consumers: { at: null, list: [] },
    requests: null,
    tallies: NO_TALLIES,
    ...differing,
  };
}

function consuming(at: number, differing: Partial<ConsumerReport> = {}): ProcessReport['consumers'] {
  const consumer = { topic: 'activate', group: 'fold', partitions: 4, halted: 0, records: 10, lag: 0 };
  return { at, list: [{ ...consumer, oldestAt: null, behind: [], ...differing }] };
}

function summary(reports: readonly ProcessReport[]) {
  const reading = { readAt: NOW, isCurrent: true, reports };
  return operationsSummarySchema.parse(summaryOf(reading, new History(), NOW));
}

describe('the states of processes', () => {
  it.each([
    ['up', {}],
    ['gone', { at: LONG_AGO }],
    ['stopping', { isStopping: true }],
    ['troubled', { trouble: 'No browser was found.' }],
    ['troubled', { engines: [{ name: 'kafka', isUp: false, since: NOW }] }],
    ['troubled', { consumers: consuming(NOW, { halted: 1 }) }],
  ] satisfies [string, Partial<ProcessReport>][])('are %s for %j', (state, differing) => {
    expect(summary([report('a', differing)]).processes).toMatchObject([{ processId: 'a', state }]);
  });

  it('are those of the time of a reading that is old', () => {
    const reading = { readAt: LONG_AGO, isCurrent: false, reports: [report('a', { at: LONG_AGO })] };
    const { processes, isCurrent, readAt } = summaryOf(reading, new History(), NOW);
    expect([processes[0]?.state, isCurrent, readAt]).toEqual(['up', false, isoTime(LONG_AGO)]);
  });
});

it('an engine is partly up while it answers some, since the first change, and gone processes do not count', () => {
  const seeing = (isUp: boolean, since: number) => ({ engines: [{ name: 'redis' as const, isUp, since }] });
  const [up, down] = [seeing(true, 1), seeing(false, 3)];
  const engines = (...reports: readonly Partial<ProcessReport>[]) =>
    summary(reports.map((differing, index) => report(`${index}`, differing))).engines;
  expect(engines(up, down)).toMatchObject([{ state: 'partly', up: 1, processes: 2, since: isoTime(3) }]);
  expect(engines(down, seeing(false, 2))).toMatchObject([{ state: 'down', since: isoTime(2) }]);
  expect(engines(up, { ...down, at: LONG_AGO })).toMatchObject([{ state: 'up', processes: 1 }]);
});

describe('the topics', () => {
  const topics = (...reports: readonly ProcessReport[]) =>
    topicsOf({ readAt: NOW, isCurrent: true, reports }, new History(), NOW);

  it('sum up the partitions of all processes, with the oldest record', () => {
    const behind = [{ partition: 5, lag: 3, oldestAt: 7, halted: null }];
    expect(
      topics(
        report('a', { consumers: consuming(NOW - 2, { lag: 3, oldestAt: 7, behind }) }),
        report('b', { consumers: consuming(NOW, { lag: 2, oldestAt: 9 }) }),
      ),
    ).toEqual([
      {
        ...{ topic: 'activate', group: 'fold', partitions: 8, halted: 0, records: 20, lag: 5 },
        ...{ inPerSecond: null, outPerSecond: null, isBehindOnPurpose: false },
        ...{ oldestAt: isoTime(7), readAt: isoTime(NOW - 2), isCurrent: true },
        behind: [{ partition: 5, lag: 3, oldestAt: isoTime(7), halted: null, processId: 'a' }],
      },
    ]);
  });

  it('have the last numbers, marked as old, where no running process consumes them', () => {
    const gone = report('a', { at: LONG_AGO, consumers: consuming(LONG_AGO, { lag: 3 }) });
    const goneBefore = report('b', { at: LONG_AGO, consumers: consuming(LONG_AGO - 1, { lag: 9 }) });
    const old = { lag: 3, isCurrent: false, readAt: isoTime(LONG_AGO) };
    expect(topics(goneBefore, gone)).toMatchObject([old]);
    const taken = report('c', { consumers: consuming(NOW, { lag: 1 }) });
    expect(topics(gone, taken)).toMatchObject([{ lag: 1, isCurrent: true }]);
  });

  it('have numbers that are old while the log does not answer a running process', () => {
    expect(topics(report('a', { consumers: consuming(LONG_AGO) }))).toMatchObject([{ isCurrent: false }]);
  });
});

it('requests are summed up over gateways, with times estimated by their classes', () => {
  const answers = addCounts([]).answers.map((_, at) => [0, 98, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2][at] ?? 0);
  const requests = { windowMs: 10 * SECOND_MS, checks: addCounts([]), others: { errors: 1, answers } };
  const { checks, others } = summary([report('a', { requests }), report('b', { requests })]).requests;
  expect(checks).toMatchObject({ perSecond: 0, answers: 0, medianMs: null, p99Ms: null });
  expect(others).toEqual({
    ...{ perSecond: 20, answers: 200, errors: 2, fast: 196 },
    ...{ medianMs: 1.5, p99Ms: 150 },
  });
});
