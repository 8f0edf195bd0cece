import { TOPIC_NAMES } from '../../../topics/catalogue.ts';
import { growTopic, PARTITIONS_MAX } from '../../engines/kafka/grow.ts';
import { readSettings, SettingsError } from '../../service/settings/settings.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';

/** The longest wait for the processors to reach the end of the old generation. */
const DRAIN_MS = 10 * 60 * 1_000;

/** Gives a topic of the cluster another number of partitions, while the service runs. */
export async function grow(given: Given): Promise<VerbResult> {
  const topic = TOPIC_NAMES.find((name) => name === word(given, 'topic'));
  if (topic === undefined) throw new Error('growing a topic that the table allows and the catalogue lacks');
  const partitions = Number(word(given, 'partitions'));
  if (!Number.isSafeInteger(partitions) || partitions < 1 || partitions > PARTITIONS_MAX)
    throw new UsageError(
      `partitions: seen "${word(given, 'partitions')}"; expected a whole number from 1 to ${PARTITIONS_MAX}`,
    );
  const { cluster } = readSettings(given.environment);
  if (cluster === null)
    throw new SettingsError(
      'SVC_ENGINE: seen "embedded"; one process reads its topics, whatever their partitions',
    );
  const { drained } = await growTopic({
    options: cluster.kafka,
    logger: { warn: noise, error: noise },
    topic,
    partitions,
    drainMs: DRAIN_MS,
    report: given.say,
  });
  const lines = drained
    ? []
    : ['Nothing is lost: the processors continue with it. Start the same command again to watch them.'];
  return { data: { topic, partitions, drained }, lines };
}

/** Drops the client's messages about its attempts. The error that ends them is reported. */
function noise(): void {}
