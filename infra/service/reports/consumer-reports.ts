import { type ConsumerReport, PARTITIONS_NAMED_MAX } from '../../../schemas/operations/process-report.ts';
import type { WatchedPartition } from './consumer-watch.ts';

/** Returns a report for each topic and group, in the order of their names. */
export function consumerReports(partitions: readonly WatchedPartition[]): ConsumerReport[] {
  const groups = Map.groupBy(partitions, ({ topic, group }) => `${topic} ${group}`);
  return [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, consumed]) => {
      const [first] = consumed;
      return first === undefined ? [] : [reportOf(first, consumed)];
    });
}

function reportOf({ topic, group }: WatchedPartition, consumed: readonly WatchedPartition[]): ConsumerReport {
  const behind = consumed
    .filter(({ lag, halted }) => lag > 0 || halted !== null)
    .sort(
      (left, right) => Number(right.halted !== null) - Number(left.halted !== null) || right.lag - left.lag,
    )
    .slice(0, PARTITIONS_NAMED_MAX)
    .map(({ partition, lag, oldestAt, halted }) => ({ partition, lag, oldestAt, halted }));
  const times = consumed.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [oldestAt]));
  return {
    topic,
    group,
    partitions: consumed.length,
    halted: consumed.filter(({ halted }) => halted !== null).length,
    records: consumed.reduce((sum, { records }) => sum + records, 0),
    lag: consumed.reduce((sum, { lag }) => sum + lag, 0),
    oldestAt: times.length === 0 ? null : Math.min(...times),
    behind,
  };
}
