import { FIRST_GENERATION, TOPIC_NAMES, TOPICS } from '../../../topics/catalogue.ts';
import type { Administrator } from './administrator.ts';
import type { Generations } from './generations.ts';
import type { KafkaOptions } from './options.ts';
import { retryUntilVisible } from './retry-until-visible.ts';
import { createGenerations, MESSAGE_BYTES_MAX, requireBrokersTime } from './topic-settings.ts';

/**
 * Creates missing topics of the catalogue, and checks the existing ones. Several processes may run it at the same
 * time.
 *
 * @throws {Error} if a topic that has never grown has another number of partitions than in the catalogue, or the
 * broker does not set its timestamps
 * @throws {EngineUnavailableError} if the cluster does not answer
 */
export async function ensureTopics(
  administrator: Administrator,
  options: KafkaOptions,
  generations: Generations,
): Promise<void> {
  await generations.refresh();
  const missing = TOPIC_NAMES.filter((topic) => generations.of(topic).length === 0);
  if (missing.length > 0) {
    const made = missing.map((topic) => ({
      topic,
      generation: FIRST_GENERATION,
      partitions: TOPICS[topic].partitions,
      bytesMax: MESSAGE_BYTES_MAX,
    }));
    await createGenerations(administrator, options, made);
    // The client's own wait gives up at the first broker that does not know of them. Reading offsets asks the leaders
    // only.
    for (const topic of missing) {
      const name = generations.nameOf(topic, FIRST_GENERATION);
      await administrator.ask((admin) => retryUntilVisible(() => admin.fetchTopicOffsets(name)));
    }
    await generations.refresh();
  }
  requirePartitions(generations);
  await requireBrokersTime(administrator, generations.names());
}

function requirePartitions(generations: Generations): void {
  for (const topic of TOPIC_NAMES) {
    const [only, ...others] = generations.of(topic);
    const { partitions } = TOPICS[topic];
    if (only === undefined || others.length > 0 || only.number > FIRST_GENERATION) continue;
    if (only.partitions !== partitions) {
      throw new Error(
        `opening the topic ${generations.nameOf(topic, only.number)}: it has ${only.partitions} partitions, and the catalogue says ${partitions}`,
      );
    }
  }
}
