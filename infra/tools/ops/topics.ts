import { counted } from '../../../schemas/base/text.ts';
import { handlingGroupOf, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import type { PartitionLag } from '../../engines/shared/lag.ts';
import { withReader } from './engine.ts';
import { type Given, textOption, type VerbResult } from './verb.ts';

/** Lists the topics with their partitions, records and lag. */
export async function listTopics(given: Given): Promise<VerbResult> {
  const lags = await withReader(given, (reader) => reader.lags());
  const topics = TOPIC_NAMES.map((topic) => {
    const own = lags.filter((each) => each.topic === topic);
    const generation = Math.max(0, ...own.map((each) => each.generation));
    return {
      topic,
      group: handlingGroupOf(topic),
      generation,
      partitions: own.filter((each) => each.generation === generation).length,
      records: sum(own, 'records'),
      lag: sum(own, 'lag'),
    };
  });
  const lines = topics.map(
    ({ topic, group, generation, partitions, records, lag }) =>
      `${topic.padEnd(WIDTH)}  ${counted(partitions, 'partition')} of generation ${generation}, ${counted(records, 'record')}, ${group} is ${lag} behind`,
  );
  return { data: { topics }, lines };
}

/** Lists the partitions whose processors are behind. */
export async function listLag(given: Given): Promise<VerbResult> {
  const wanted = textOption(given, 'topic');
  const lags = await withReader(given, (reader) => reader.lags());
  const behind = lags.filter(({ topic, lag }) => lag > 0 && (wanted === null || topic === wanted));
  const lines = behind.map(
    ({ topic, generation, partition, records, lag }) =>
      `${topic.padEnd(WIDTH)}  partition ${partition} of generation ${generation}: ${lag} of ${counted(records, 'record')} not handled`,
  );
  return {
    data: { lag: sum(behind, 'lag'), partitions: behind.map((each) => ({ ...each })) },
    lines: lines.length === 0 ? ['No partition is behind.'] : lines,
  };
}

const WIDTH = Math.max(...TOPIC_NAMES.map((name) => name.length));

function sum(lags: readonly PartitionLag[], member: 'records' | 'lag'): number {
  return lags.reduce((total, each) => total + each[member], 0);
}
