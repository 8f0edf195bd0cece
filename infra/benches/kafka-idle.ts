// What an idle service costs on Kafka: a producer and one consumer a topic with nothing to do, measured for a while.
// Run it against `npm run cluster -- up`: SVC_TEST_KAFKA=… node infra/benches/kafka-idle.ts
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOPIC_NAMES } from '../../topics/catalogue.ts';
import { engineAddresses } from '../cluster/under-test.ts';
import { KafkaLogUnderTest } from '../kafka/under-test.ts';

/** Connections settle first: joins, metadata, compilation of the code. */
const SETTLE_MS = 10_000;
const MEASURED_MS = 30_000;

/** The share of one core that an idle process may take. */
const SHARE_MAX = 0.01;

if (engineAddresses() === null) throw new Error('measuring an idle log on Kafka without a cluster');

const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

const engine = await KafkaLogUnderTest.open();
for (const topic of TOPIC_NAMES) {
  await engine.log.consume({
    group: `idle-${randomUUID()}`,
    topic,
    batchRecordsMax: 10_000,
    open: () => ({
      handle: async (records) => ({ nextOffset: (records.at(-1)?.offset ?? -1) + 1, pauseMs: 0 }),
      idle: async () => undefined,
      close: async () => undefined,
    }),
  });
}
await engine.log.append([{ topic: 'imports', key: 'key', value: 'value' }]);
await sleep(SETTLE_MS);

const begun = performance.now();
const before = process.cpuUsage();
await sleep(MEASURED_MS);
const { user, system } = process.cpuUsage(before);
const share = (user + system) / 1_000 / (performance.now() - begun);
await engine.close();

process.stdout.write(
  `${TOPIC_NAMES.length} consumers idle: ${(share * 100).toFixed(2)} % of a core (at most ${SHARE_MAX * 100} %), ` +
    `${warnings.length} warnings\n`,
);
process.exitCode = share < SHARE_MAX && warnings.length === 0 ? 0 : 1;
