// Gives a topic of the cluster another number of partitions.
import { TOPIC_NAMES } from '../../topics/catalogue.ts';
import { growTopic } from '../engines/kafka/grow.ts';
import { readSettings, SettingsError } from '../service/settings.ts';
import { readCommandLine } from './command-line.ts';

const HELP = `
npm run grow -- <topic> <partitions>

Gives a topic of the cluster more partitions, while the service runs, and waits until the processors have read the old ones. The
environment variables of the service name the cluster: SVC_ENGINE=cluster, KAFKA_BROKERS and the others of .env.example.

  topics: ${TOPIC_NAMES.join(', ')}
`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** The longest wait for the processors to reach the end of the old generation. */
const DRAIN_MS = 10 * 60 * 1_000;

async function main(): Promise<number> {
  const [topicName, partitions] = readCommandLine(HELP, { allowPositionals: true }).positionals;
  const topic = TOPIC_NAMES.find((name) => name === topicName);
  if (topic === undefined || partitions === undefined) {
    say(HELP.trim());
    return EXIT_USAGE;
  }
  const { cluster } = readSettings(process.env);
  if (cluster === null)
    throw new SettingsError(
      'SVC_ENGINE: seen "embedded"; one process reads its topics, whatever their partitions',
    );
  const { drained } = await growTopic({
    options: cluster.kafka,
    logger: { warn: noise, error: noise },
    topic,
    partitions: Number(partitions),
    drainMs: DRAIN_MS,
    report: say,
  });
  if (!drained)
    say('Nothing is lost: the processors continue with it. Start the same command again to watch them.');
  return 0;
}

/** Drops the client's messages about its attempts. The error that ends them is reported. */
function noise(): void {}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof SettingsError ? EXIT_USAGE : EXIT_FAILED;
});
