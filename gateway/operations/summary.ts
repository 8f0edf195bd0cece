import { isoTime, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { CHECK_FAST_MS, OBJECTIVES } from '../../schemas/operations/objectives.ts';
import {
  ANSWER_BOUNDS_MS,
  addCounts,
  type EngineReport,
  type ProcessReport,
  type RequestCounts,
} from '../../schemas/operations/process-report.ts';
import type { OperationsSummary, RequestSummary } from '../../schemas/operations/summary.ts';
import { findingsOf, type Numbers } from './findings.ts';
import type { AnswerCounts, History } from './history.ts';
import { isGone, type ProcessReading } from './process-reading.ts';
import { topicsOf } from './topics.ts';

/** Sums up the reports of all processes, and says what is wrong. */
export function summaryOf(reading: ProcessReading, history: History, now: number): OperationsSummary {
  const numbers = numbersOf(reading, history, now);
  const topics = numbers.topics.map(({ behind: _behind, ...topic }) => topic);
  return { ...numbers, topics, findings: findingsOf(numbers, slowChecks(history)) };
}

function numbersOf(reading: ProcessReading, history: History, now: number): Numbers {
  const running = reading.reports.filter((report) => !report.isStopping && !isGone(report, reading));
  return {
    at: isoTime(now),
    readAt: isoTime(reading.readAt),
    isCurrent: reading.isCurrent,
    processes: reading.reports
      .toSorted(
        (left, right) => compare(left.roles.join(), right.roles.join()) || left.startedAt - right.startedAt,
      )
      .map((report) => processOf(report, reading)),
    // What others said of an engine before it went down hides that it did.
    engines: enginesOf((reading.isCurrent ? running : running.slice(0, 1)).flatMap(({ engines }) => engines)),
    topics: topicsOf(reading, history, now),
    requests: {
      checks: requestsOf(running, ({ checks }) => checks),
      others: requestsOf(running, ({ others }) => others),
    },
    objectives: objectivesOf(history),
  };
}

function objectivesOf(history: History): OperationsSummary['objectives'] {
  const slow = slowChecks(history);
  const errors = history.countsOf('24h', ['checks', 'others'], ({ errorsPerSecond }) => errorsPerSecond);
  const allowed = errors.all * (1 - OBJECTIVES.checksAnswered.share);
  return {
    fastChecksOfHour: slow.all === 0 ? null : 1 - slow.counted / slow.all,
    fastChecksGoal: OBJECTIVES.checksFast.share,
    errorBudgetOfDay: errors.all === 0 ? null : 1 - errors.counted / allowed,
  };
}

/** The checks of an hour, and those of them that took too long. */
function slowChecks(history: History): AnswerCounts {
  return history.countsOf('1h', ['checks'], ({ perSecond, fastPerSecond }) =>
    Math.max(0, perSecond - fastPerSecond),
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function processOf(report: ProcessReport, reading: ProcessReading): OperationsSummary['processes'][number] {
  const { processId, roles, version, nodeVersion, trouble, busyPercent, memoryBytes, isShortOfRoom } = report;
  return {
    ...{ processId, roles, version, nodeVersion, trouble, busyPercent, memoryBytes, isShortOfRoom },
    state: stateOf(report, reading),
    startedAt: isoTime(report.startedAt),
    at: isoTime(report.at),
    engines: report.engines.map(({ name, isUp, since }) => ({ name, isUp, since: isoTime(since) })),
  };
}

function stateOf(report: ProcessReport, reading: ProcessReading) {
  if (report.isStopping) return 'stopping';
  if (isGone(report, reading)) return 'gone';
  const isHalted = report.consumers.list.some(({ halted }) => halted > 0);
  const isWhole =
    report.trouble === null && !report.isShortOfRoom && !isHalted && report.engines.every(({ isUp }) => isUp);
  return isWhole ? 'up' : 'troubled';
}

function enginesOf(seen: readonly EngineReport[]): OperationsSummary['engines'] {
  return [...Map.groupBy(seen, ({ name }) => name)].map(([name, views]) => {
    const down = views.filter(({ isUp }) => !isUp);
    const changes = (down.length > 0 ? down : views).map(({ since }) => since);
    const up = views.length - down.length;
    const state = down.length === 0 ? 'up' : up === 0 ? 'down' : 'partly';
    return { name, state, since: isoTime(Math.min(...changes)), up, processes: views.length };
  });
}

type Requests = NonNullable<ProcessReport['requests']>;

function requestsOf(
  reports: readonly ProcessReport[],
  countsOf: (requests: Requests) => RequestCounts,
): RequestSummary {
  const all = reports.flatMap(({ requests }) => (requests === null ? [] : [requests]));
  const { answers, errors } = addCounts(all.map(countsOf));
  const perSecond = all.reduce((sum, requests) => {
    const count = total(countsOf(requests).answers);
    return sum + (count * SECOND_MS) / Math.max(SECOND_MS, requests.windowMs);
  }, 0);
  return {
    perSecond: rounded(perSecond),
    answers: total(answers),
    errors,
    fast: total(answers.filter((_, at) => (ANSWER_BOUNDS_MS[at] ?? Infinity) <= CHECK_FAST_MS)),
    medianMs: percentile(answers, 0.5),
    p99Ms: percentile(answers, 0.99),
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The time that a part of the answers took at most, estimated within its class; null without answers. */
function percentile(answers: readonly number[], part: number): number | null {
  const rank = total(answers) * part;
  let below = 0;
  for (const [at, count] of answers.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = ANSWER_BOUNDS_MS[at - 1] ?? 0;
      const to = ANSWER_BOUNDS_MS[at] ?? MINUTE_MS;
      return rounded(from + ((to - from) * (rank - below)) / count);
    }
    below += count;
  }
  return null;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
