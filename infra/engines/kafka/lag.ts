import { handlingGroupOf, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import type { PartitionLag } from '../shared/lag.ts';
import { Administrator } from './administrator.ts';
import { Generations } from './generations.ts';
import { GroupOffsets } from './group-offsets.ts';
import type { KafkaLogger, KafkaOptions } from './options.ts';

/**
 * Returns the progress of the group that handles each topic, by partition of each generation.
 *
 * @throws {EngineUnavailableError} if the brokers do not answer
 */
export async function readLags(options: KafkaOptions, logger: KafkaLogger): Promise<PartitionLag[]> {
  const administrator = new Administrator(options, logger);
  try {
    const generations = new Generations(administrator, options);
    await generations.refresh();
    const lags: PartitionLag[] = [];
    for (const topic of TOPIC_NAMES) {
      const known = generations.of(topic);
      for (const { number: generation } of known) {
        const isSuperseded = () => generation !== known.at(-1)?.number;
        const group = {
          prefix: options.prefix,
          group: handlingGroupOf(topic),
          topic,
          generation,
          isSuperseded,
        };
        const located = await new GroupOffsets(administrator, group).locate();
        for (const [partition, { committed, closed, start, end }] of located) {
          const lag = closed ? 0 : Math.max(0, end - (committed ?? start));
          lags.push({ topic, generation, partition, records: end, lag });
        }
      }
    }
    return lags;
  } finally {
    await administrator.close();
  }
}
