import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { SAMPLE_INTERVAL_MS } from '../../schemas/operations/history.ts';
import { WATCHED_AGES } from '../../schemas/operations/objectives.ts';
import {
  addCounts,
  type ConsumerReport,
  type ProcessReport,
  REPORT_FRESH_MS,
} from '../../schemas/operations/process-report.ts';
import { NO_TALLIES } from '../../schemas/operations/tallies.ts';
import { History } from './history.ts';
import { summaryOf } from './summary.ts';

const NOW = Date.UTC(2026, 8, 18, 14, 32);
const RUNBOOK = readFileSync(join(import.meta.dirname, '../../infra/docs/runbook.md'), 'utf8');

function report(differing: Partial<ProcessReport> = {}): ProcessReport {
  return {
    ...{
      processId: 'a',
      roles: ['gateway', 'processors', 'workers', 'runner'],
      version: '1',
      nodeVersion: '24',
    },
    ...{ startedAt: NOW - MINUTE_MS, at: NOW, isStopping: false, trouble: null, busyPercent: 0 },
    ...{ memoryBytes: 0, isShortOfRoom: false, engines: [], consumers: { at: NOW, list: [] } },
    ...{ requests: null, tallies: NO_TALLIES, ...differing },
  };
}

function consuming(differing: Partial<ConsumerReport>, at = NOW): ProcessReport['consumers'] {
  const consumer = {
    topic: 'activate',
    group: 'fold-activate',
    partitions: 8,
    halted: 0,
    records: 10,
    lag: 0,
  };
  return { at, list: [{ ...consumer, oldestAt: null, behind: [], ...differing }] };
}

function failing(errors: number) {
  const answers = addCounts([]).answers.map((_, at) => (at === 0 ? 100 : 0));
  return { windowMs: MINUTE_MS, checks: { errors, answers }, others: addCounts([]) };
}

function failingOthers(errors: number) {
  const { windowMs, checks, others } = failing(errors);
  return { windowMs, checks: others, others: checks };
}

/** A minute of checks of which each of the hundred took as long as this class of answer times. */
function slowly(slow: number) {
  const answers = addCounts([]).answers.map((_, at) => (at === 0 ? 100 - slow : at === 12 ? slow : 0));
  return { windowMs: MINUTE_MS, checks: { errors: 0, answers }, others: addCounts([]) };
}

/** The findings after such a minute was read again and again for some time. */
function findingsAfter(minutes: number, requests: ProcessReport['requests']) {
  const history = new History();
  const reading = { readAt: NOW, isCurrent: true, reports: [report({ requests })] };
  for (let at = NOW - minutes * MINUTE_MS; at <= NOW; at += SAMPLE_INTERVAL_MS) {
    history.add(summaryOf(reading, history, at), at);
  }
  return summaryOf(reading, history, NOW).findings;
}

function findings(...reports: readonly ProcessReport[]) {
  return summaryOf({ readAt: NOW, isCurrent: true, reports }, new History(), NOW).findings;
}

const down = (name: 'kafka' | 'cassandra' | 'redis' | 'embedded') => ({
  engines: [{ name, isUp: false, since: NOW - SECOND_MS }],
});

describe('the findings', () => {
  it('are none while all is well', () => {
    expect(findings(report({ consumers: consuming({ lag: 5, oldestAt: NOW - SECOND_MS }) }))).toEqual([]);
  });

  it.each<[string, string, Partial<ProcessReport>]>([
    ['limiter-store-unavailable', 'Redis does not answer', down('redis')],
    ['commits-failing', 'Cassandra does not answer', down('cassandra')],
    ['appends-failing', 'Kafka does not answer', down('kafka')],
    ['process-not-ready', 'The embedded engine does not answer', down('embedded')],
    ['partition-halted', '1 partition of activate has halted', { consumers: consuming({ halted: 1 }) }],
    ['disk-room-scarce', 'The disk is full up to the reserve', { isShortOfRoom: true }],
    ['process-down', '1 process has gone without being stopped', { at: NOW - REPORT_FRESH_MS - 1 }],
    ['process-not-ready', 'A process cannot do a part of the work', { trouble: 'No browser was found.' }],
    ['topic-unattended', 'No process reads activate', { consumers: consuming({}, NOW - MINUTE_MS) }],
    [
      'commands-behind',
      '9 records of activate wait, the oldest for 40 s',
      { consumers: consuming({ lag: 9, oldestAt: NOW - 40 * SECOND_MS }) },
    ],
    [
      'work-behind',
      '9 records of check-runs wait, the oldest for 660 s',
      {
        consumers: consuming({
          ...{ topic: 'check-runs', group: 'work-check-runs', lag: 9 },
          oldestAt: NOW - 11 * MINUTE_MS,
        }),
      },
    ],
    ['checks-unavailable', '3 % of the answers of the latest minute were errors', { requests: failing(3) }],
    ['events-refused', '3 % of the answers of the latest minute were errors', { requests: failingOthers(3) }],
  ])('name the entry %s of the runbook for: %s', (name, title, differing) => {
    const found = findings(report(differing)).find((finding) => finding.name === name);
    expect(found?.title).toBe(title);
    expect(found?.affected).toMatch(/\.$/);
    expect(found?.cure).toMatch(/\.$/);
    const heading = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
    expect(RUNBOOK).toContain(`### ${heading}\n`);
  });

  it('page where the alert of the same age pages', () => {
    const { limitMs, forMs } = WATCHED_AGES.fold;
    const severityAt = (age: number) =>
      findings(report({ consumers: consuming({ lag: 9, oldestAt: NOW - age }) }))[0]?.severity;
    expect([limitMs, limitMs + 1, limitMs + forMs - 1, limitMs + forMs].map(severityAt)).toEqual([
      undefined,
      'warn',
      'warn',
      'bad',
    ]);
  });

  it.each([
    [1, []],
    [2, [['checks-slow', 'warn', '98 % of the checks of an hour took at most 50 ms, the goal is 99 %']]],
    [20, [['checks-slow', 'bad', '80 % of the checks of an hour took at most 50 ms, the goal is 99 %']]],
  ])('compare the checks of an hour with the objective: %i of 100 are slow', (slow, expected) => {
    const found = findingsAfter(30, slowly(slow));
    expect(found.map(({ name, severity, title }) => [name, severity, title])).toEqual(expected);
    for (const { since } of found) expect(since).toBe(isoTime(NOW - 30 * MINUTE_MS));
  });

  it('leave out a few slow checks of a service that is hardly used', () => {
    expect(findingsAfter(1, slowly(2))).toEqual([]);
  });

  it('end with the errors, although those have spent the budget of a day', () => {
    expect(findingsAfter(5, failing(1))).toEqual([]);
  });

  it('say of a halt which partition stands still, why, and whom it stops', () => {
    const behind = [{ partition: 3, lag: 2, oldestAt: NOW, halted: 'record 17 is of tomorrow' }];
    expect(findings(report({ consumers: consuming({ halted: 1, behind }) }))).toMatchObject([
      {
        affected: expect.stringMatching(/about 1 in 8 of .* 503; all others continue\.$/),
        cure: expect.stringContaining('Partition 3 of activate stands still: record 17 is of tomorrow. '),
      },
    ]);
    const [splits] = findings(
      report({ consumers: consuming({ topic: 'import-splits', group: 'work-import-splits', halted: 1 }) }),
    );
    expect(splits?.affected).toContain('Their work waits;');
    const halted = (topic: string) =>
      report({ processId: topic, consumers: consuming({ topic, group: `fold-${topic}`, halted: 2 }) });
    expect(findings(halted('activate'), halted('checks'))).toMatchObject([
      {
        title: '4 partitions of 2 topics have halted',
        affected: expect.stringContaining('2 in 8 of activate, 2 in 8 of checks'),
      },
    ]);
  });

  it('do not count on what other processes said of an engine before their reports could not be read any more', () => {
    const other = report({
      processId: 'b',
      engines: [{ name: 'redis', isUp: true, since: NOW - MINUTE_MS }],
    });
    const reading = { readAt: NOW - SECOND_MS, reports: [report(down('redis')), other] };
    const titleOf = (isCurrent: boolean) =>
      summaryOf({ ...reading, isCurrent }, new History(), NOW).findings[0]?.title;
    expect([titleOf(true), titleOf(false)]).toEqual([
      'Redis answers 1 of 2 processes',
      'Redis does not answer',
    ]);
  });

  it('name all topics that nothing reads in one', () => {
    const reading = (topic: string) =>
      report({ processId: topic, consumers: consuming({ topic }, NOW - MINUTE_MS) });
    expect(findings(reading('activate'), reading('audit'))).toMatchObject([
      { title: 'No process reads 2 topics', affected: expect.stringContaining('activate, audit') },
    ]);
  });

  it('begin with the worst, and say since when', () => {
    const [first, second] = findings(report({ trouble: 'No browser.', ...down('redis') }));
    expect([first?.severity, second?.severity]).toEqual(['bad', 'warn']);
    expect(first?.since).toBe(isoTime(NOW - SECOND_MS));
  });

  it('say which work no process does after one has gone, or that others do it', () => {
    const gone = report({ processId: 'b', roles: ['runner'], at: NOW - REPORT_FRESH_MS - 1 });
    expect(findings(report({ roles: ['gateway', 'processors', 'workers'] }), gone)).toMatchObject([
      { name: 'process-down', severity: 'bad', affected: expect.stringMatching('runner') },
      { title: 'No process has the role runner', since: isoTime(gone.at) },
    ]);
    expect(findings(report(), gone)).toMatchObject([{ severity: 'warn' }]);
  });

  it('say which role no process has: after the last one was stopped, and when nothing shows any more that there was one', () => {
    const gateway = report({ roles: ['gateway'], consumers: { at: NOW, list: [] } });
    expect(findings(gateway)).toMatchObject([
      { name: 'topic-unattended', severity: 'bad', title: 'No process has the role processors' },
      { name: 'topic-unattended', severity: 'bad', title: 'No process has the role workers' },
      { name: 'topic-unattended', severity: 'warn', title: 'No process has the role runner' },
    ]);
    const at = NOW - MINUTE_MS;
    const stopped = report({
      ...{ processId: 'b', roles: ['processors'], at, isStopping: true },
      consumers: consuming({}, at),
    });
    const rest = report({ roles: ['gateway', 'workers', 'runner'] });
    expect(findings(rest, stopped)).toMatchObject([
      { title: 'No process has the role processors', since: isoTime(at) },
    ]);
  });

  it('say nothing of a process in whose place another one was started', () => {
    const gone = (processId: string) =>
      report({ processId, roles: ['runner'], at: NOW - REPORT_FRESH_MS - 1 });
    const next = report({ processId: 'd', roles: ['runner'], startedAt: NOW - SECOND_MS });
    expect(findings(report(), gone('b'), next)).toEqual([]);
    expect(findings(report(), gone('b'), gone('c'), next)).toMatchObject([
      { title: '1 process has gone without being stopped' },
    ]);
  });
});
