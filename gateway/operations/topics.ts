import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import {
  type ConsumerReport,
  type ProcessReport,
  REPORT_FRESH_MS,
} from '../../schemas/operations/process-report.ts';
import type { TopicDetail } from '../../schemas/operations/summary.ts';
import { isSweepOf } from '../../topics/catalogue.ts';
import type { History } from './history.ts';
import { isGone, type ProcessReading } from './process-reading.ts';

/** The numbers of one process about a topic and group. */
interface Part {
  readonly report: ProcessReport;
  readonly readAt: number;
  readonly consumer: ConsumerReport;
}

/**
 * Sums up the topics over all processes, in the order of their names. A topic that no running process consumes has the last
 * numbers of those that did.
 */
export function topicsOf(reading: ProcessReading, history: History, now: number): TopicDetail[] {
  const parts = reading.reports.flatMap((report): Part[] => {
    const { at, list } = report.consumers;
    return at === null ? [] : list.map((consumer) => ({ report, readAt: at, consumer }));
  });
  const groups = Map.groupBy(parts, ({ consumer: { topic, group } }) => `${topic} ${group}`);
  return [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, all]) => {
      const running = all.filter(({ report }) => !report.isStopping && !isGone(report, reading));
      return topicOf(running.length > 0 ? running : latestOf(all), history, now);
    });
}

/** The last numbers: those of the process that has told them last. */
function latestOf(parts: readonly Part[]): Part[] {
  return parts.toSorted((left, right) => right.readAt - left.readAt).slice(0, 1);
}

function topicOf(parts: readonly Part[], history: History, now: number): TopicDetail[] {
  const [first] = parts;
  if (first === undefined) return [];
  const sum = (countOf: (consumer: ConsumerReport) => number) =>
    parts.reduce((total, { consumer }) => total + countOf(consumer), 0);
  const times = parts.flatMap(({ consumer: { oldestAt } }) => (oldestAt === null ? [] : [oldestAt]));
  const readAt = Math.min(...parts.map((part) => part.readAt));
  const { topic, group } = first.consumer;
  return [
    {
      ...{ topic, group },
      partitions: sum(({ partitions }) => partitions),
      halted: sum(({ halted }) => halted),
      records: sum(({ records }) => records),
      lag: sum(({ lag }) => lag),
      oldestAt: times.length === 0 ? null : isoTime(Math.min(...times)),
      ...history.ratesOf(topic, group, now),
      isBehindOnPurpose: isSweepOf(topic, group),
      readAt: isoTime(readAt),
      isCurrent: now - readAt <= REPORT_FRESH_MS,
      behind: parts
        .flatMap(({ report: { processId }, consumer: { behind } }) =>
          behind.map(({ oldestAt, ...partition }) => ({
            ...partition,
            oldestAt: isoTimeOrNull(oldestAt),
            processId,
          })),
        )
        .sort((left, right) => left.partition - right.partition),
    },
  ];
}
